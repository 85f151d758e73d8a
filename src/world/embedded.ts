/** The server in this process: its settings, and its start content. */

export interface EmbeddedSetup {
  /** The port on loopback, 0 for a free one. Without it, only `request` reaches the server. */
  port?: number;
  level?: number;
  rateLimits: boolean;
  /** The seeded people keep their public passwords. Otherwise a server on a port makes new ones. */
  fixedPasswords?: boolean;
  /** People to add. */
  users: number;
  /** The size of an export in MiB. */
  exportSize?: number;
  /** An organization in JSON, and its file. */
  world?: { file: string; text: string };
  /** Specifications of faults, as typed. */
  faults: readonly string[];
}

/** The start content of the embedded server. */
export interface SandboxInfo {
  site: string;
  feature_level: number;
  /** As the server tells it. */
  zulip_version: string;
  users: {
    user_id: number;
    /** The log-in address. */
    email: string;
    full_name: string;
    role: number;
    is_bot: boolean;
    is_active: boolean;
    api_key: string;
    password: string;
  }[];
  channels: {
    stream_id: number;
    name: string;
    is_private: boolean;
    is_web_public: boolean;
    is_archived: boolean;
    subscribers: number[];
  }[];
  groups: { id: number; name: string; is_system_group: boolean; members: number[] }[];
  attachments: { id: number; owner_id: number }[];
  messages: { id: number; stream_id: number; content: string }[];
}
