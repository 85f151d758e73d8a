/** Which of the eleven operations a server can do, read off their definitions. */
import { removeAttachment } from "../../api/attachments.ts";
import { updateChannel } from "../../api/channels.ts";
import { createDrafts } from "../../api/drafts.ts";
import { createExport } from "../../api/exports.ts";
import { createFolder } from "../../api/folders.ts";
import { updateMembers } from "../../api/groups.ts";
import { fetchKey } from "../../api/keys.ts";
import { addLinkifier } from "../../api/linkifiers.ts";
import { matchNarrow } from "../../api/messages.ts";
import { addApnsToken } from "../../api/push.ts";
import { getUsers } from "../../api/users.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";

export interface Ability {
  operation: string;
  /** As typed: `channel update`. */
  command: string;
  available: boolean;
  /** What it lacks: flags that need a newer server, or, where it is not available, the operation itself. */
  without: { flag: string; needs: number }[];
  deprecated: boolean;
}

/** In the order of the contract. */
export const eleven: readonly AnyOperation[] = [
  updateChannel,
  matchNarrow,
  fetchKey,
  createFolder,
  createDrafts,
  getUsers,
  addApnsToken,
  updateMembers,
  addLinkifier,
  removeAttachment,
  createExport,
];

interface Settings {
  email_auth_enabled?: boolean | undefined;
  authentication_methods?: Record<string, boolean> | undefined;
}

/** Passwords are accepted where the organization says so, or does not say. */
const passwords = ({ email_auth_enabled, authentication_methods }: Settings): boolean =>
  email_auth_enabled !== false || authentication_methods?.ldap === true;

function ability(operation: AnyOperation, level: number, settings: Settings): Ability {
  const command = operation.name.replace(".", " ");
  const params = Object.entries<Param>(operation.params);
  // A parameter that must be sent makes the whole operation as new as itself.
  const base = Math.max(operation.since ?? 0, ...params.map(([, param]) => (param.optional ? 0 : (param.since ?? 0))));
  const deprecated = operation.deprecated !== undefined && level >= operation.deprecated;
  const stated = { operation: operation.name, command, deprecated };
  if (level < base) return { ...stated, available: false, without: [{ flag: command, needs: base }] };
  const without = params.flatMap(([, { flag, since = 0 }]) => (flag && level < since ? [{ flag, needs: since }] : []));
  return { ...stated, available: operation !== fetchKey || passwords(settings), without };
}

export const abilities = (level: number, settings: Settings): Ability[] =>
  eleven.map((operation) => ability(operation, level, settings));
