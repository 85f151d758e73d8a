/** The server in this process: what it is started with, and what it says of itself. */

export interface EmbeddedSetup {
  /** On this port of loopback, 0 for a free one; without, it is reached through `request` alone. */
  port?: number;
  level?: number;
  rateLimits: boolean;
  /** The seeded people keep the passwords that anybody can look up; otherwise a server on a port makes new ones. */
  fixedPasswords?: boolean;
  /** People to add. */
  users: number;
  /** MiB of the file that an export makes. */
  exportSize?: number;
  /** An organization described in JSON, and the file it came from. */
  world?: { file: string; text: string };
  /** Specifications of faults, as typed. */
  faults: readonly string[];
}

/** The start content of the embedded server. */
export interface SandboxInfo {
  site: string;
  feature_level: number;
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
