/** The permission and the thing that a command names. */
import { getChannels } from "../../api/channels.ts";
import { getGroups } from "../../api/groups.ts";
import { getOwnUser, getUsers } from "../../api/users.ts";
import { Usage } from "../../errors.ts";
import { channelsOf, type Snapshot } from "../../organization/snapshot.ts";
import type { Cell, Evaluation, Scope } from "../../permissions/evaluation.ts";
import { checkName, permissionNamed } from "../../permissions/names.ts";
import { type Answers, Resolver } from "../../resolve/resolver.ts";
import type { AnyOperation } from "../../wire/operation.ts";

/** Answers look-ups of names out of the snapshot, as its server would have answered them at that moment. */
function answersOf(snapshot: Snapshot): Answers {
  const { organization, feature_level, site } = snapshot;
  const known = new Map<AnyOperation, unknown>([
    [getChannels, { streams: channelsOf(snapshot) }],
    [getGroups, { user_groups: organization.realm_user_groups }],
    [
      getUsers,
      {
        members: [
          ...organization.realm_users.map((person) => ({ ...person, is_active: true })),
          ...organization.realm_non_active_users.map((person) => ({ ...person, is_active: false })),
        ],
      },
    ],
    [getOwnUser, { user_id: organization.user_id }],
  ]);
  const answer = async (operation: AnyOperation) => known.get(operation) as never;
  return { host: new URL(site).host, level: async () => feature_level, lookUp: answer, call: answer };
}

export interface Finds {
  channel(text: string, flag: string): Promise<number>;
  group(text: string, flag: string): Promise<number>;
  user(text: string, flag: string): Promise<number>;
}

/** What is named must be in the snapshot, also where it is named by its id. All throw `Usage`. */
export function finds(snapshot: Snapshot): Finds {
  const resolver = new Resolver(async () => answersOf(snapshot));
  const there = (kind: keyof Finds, known: () => readonly number[]) => async (text: string, flag: string) => {
    const id = await resolver[kind](text, flag);
    if (!known().includes(id)) throw new Usage(`${flag}: ${kind} ${id} not found, or not visible to this account`);
    return id;
  };
  const { realm_users, realm_non_active_users, realm_user_groups } = snapshot.organization;
  return {
    channel: there("channel", () => channelsOf(snapshot).map(({ stream_id }) => stream_id)),
    group: there("group", () => realm_user_groups.map(({ id }) => id)),
    user: there("user", () => [...realm_users, ...realm_non_active_users].map(({ user_id }) => user_id)),
  };
}

export interface Target {
  channel?: string;
  group?: string;
}

/** What of these words is certain before anything is read. */
export function checkTarget({ channel, group }: Target, permission?: string): void {
  if (channel !== undefined && group !== undefined)
    throw new Usage("--channel cannot be combined with --group: a permission is of one of them");
  const scope = channel !== undefined ? "channel" : group !== undefined ? "group" : "organization";
  if (permission !== undefined) checkName(permission, [scope], "<permission>");
}

/** The kind of thing that is named, and its id; the organization where none is. */
export async function targetOf(
  { snapshot }: Evaluation,
  { channel, group }: Target,
): Promise<{ scope: Scope; target: number | null }> {
  const find = finds(snapshot);
  if (channel !== undefined) return { scope: "channel", target: await find.channel(channel, "--channel") };
  if (group !== undefined) return { scope: "group", target: await find.group(group, "--group") };
  return { scope: "organization", target: null };
}

export async function cellOf(evaluation: Evaluation, typed: string, named: Target): Promise<Cell> {
  const { scope, target } = await targetOf(evaluation, named);
  return evaluation.cell(scope, target, permissionNamed(evaluation.facts, typed, [scope], "<permission>"))!;
}
