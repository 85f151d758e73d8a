/** Rules for creating and restoring bots: permissions and names. */
import { hasPermission } from "./access.ts";
import type { State, User } from "./state.ts";
import { isAddress } from "./text.ts";

/** The domain of bots' addresses: the host, or another name if the host is an IP address. */
export const botDomain = ({ organization: { host } }: State): string =>
  isAddress(`bot@${host}`) ? host : "sandbox.example";

/** Returns whether an active account has exactly this name. */
export const isNameTaken = ({ users }: State, name: string): boolean =>
  [...users.values()].some((each) => each.is_active && each.full_name === name);

/** Incoming webhooks have an additional permission. */
export const canCreateBot = (state: State, user: User, type: number | null): boolean =>
  hasPermission(state, user, "can_create_bots_group") ||
  (type === 2 && hasPermission(state, user, "can_create_write_only_bots_group"));
