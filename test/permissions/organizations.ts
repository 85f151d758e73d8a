/** Makes organizations for tests. */
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { type Recording, readRecording } from "./recordings.ts";

type Parts = Snapshot["organization"];

/** Returns a recorded organization with other parts. */
export function changed(number: Recording, change: (parts: Parts) => Partial<Parts>): Snapshot {
  const { snapshot } = readRecording(number);
  return {
    ...snapshot,
    organization: { ...snapshot.organization, ...change(snapshot.organization) } as Parts,
  };
}

const role = (id: number, name: string, members: number[], direct_subgroup_ids: number[]) => ({
  id,
  name,
  description: "",
  members,
  direct_subgroup_ids,
  is_system_group: true,
  deactivated: false,
});

export interface Small {
  people?: {
    id: number;
    role?: number;
    bot_type?: number;
    bot_owner_id?: number | null;
    active?: false;
    date_joined?: string;
  }[];
  groups?: { id: number; name: string; members?: number[]; subgroups?: number[]; [more: string]: unknown }[];
  channels?: { id: number; name: string; private?: true; subscribers?: number[]; [more: string]: unknown }[];
  organization?: Record<string, unknown>;
  level?: number;
}

export const nobody = 1;
export const everyone = 7;
export const members = 6;

/** Makes a small organization. System groups have the ids 1 to 8. By default every setting is nobody's. */
export function small({ people = [], groups = [], channels = [], organization = {}, level = 371 }: Small): Snapshot {
  const { snapshot } = readRecording(1);
  const ofRole = (number: number) => people.filter((one) => (one.role ?? 400) === number).map(({ id }) => id);
  const supported = (
    snapshot.organization as unknown as {
      server_supported_permission_settings: Record<string, Record<string, unknown>>;
    }
  ).server_supported_permission_settings;
  const settings = (kind: string, before = "") =>
    Object.fromEntries(Object.keys(supported[kind]!).map((name) => [`${before}${name}`, nobody]));
  const person = ({
    id,
    role: number = 400,
    bot_type,
    bot_owner_id,
    date_joined,
  }: NonNullable<Small["people"]>[number]) => ({
    user_id: id,
    full_name: `Person ${id}`,
    email: `p${id}@example.com`,
    delivery_email: `p${id}@example.com`,
    role: number,
    ...(date_joined !== undefined && { date_joined }),
    is_bot: bot_type !== undefined,
    ...(bot_type !== undefined && { bot_type, bot_owner_id: bot_owner_id ?? null }),
  });
  return {
    ...snapshot,
    feature_level: level,
    organization: {
      ...snapshot.organization,
      ...settings("realm", "realm_"),
      realm_users: people.filter(({ active = true }) => active).map(person),
      realm_non_active_users: people.filter(({ active }) => active === false).map(person),
      realm_user_groups: [
        role(nobody, "role:nobody", [], []),
        role(2, "role:owners", ofRole(100), []),
        role(3, "role:administrators", ofRole(200), [2]),
        role(4, "role:moderators", ofRole(300), [3]),
        role(5, "role:fullmembers", ofRole(400), [4]),
        role(members, "role:members", ofRole(400), [5]),
        role(everyone, "role:everyone", ofRole(600), [members]),
        role(8, "role:internet", [], [everyone]),
        ...groups.map(({ members: inside = [], subgroups = [], ...rest }) => ({
          description: "",
          is_system_group: false,
          deactivated: false,
          ...settings("group"),
          members: inside,
          direct_subgroup_ids: subgroups,
          ...rest,
        })),
      ].map((group) => ({ ...settings("group"), ...group })),
      subscriptions: channels.map(({ id, private: invite_only = false, ...rest }) => ({
        stream_id: id,
        description: "",
        is_web_public: false,
        is_archived: false,
        history_public_to_subscribers: !invite_only,
        subscribers: [],
        ...settings("stream"),
        invite_only,
        ...rest,
      })),
      unsubscribed: [],
      never_subscribed: [],
      ...organization,
    },
  } as unknown as Snapshot;
}
