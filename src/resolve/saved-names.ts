/**
 * Keeps the names of an organization for completion, which asks no server. Each kind has a sorted file, so that a
 * prefix is found fast: the typed text, a tab, a description.
 */

import type { getDomains } from "../api/domains.ts";
import type { getEmoji } from "../api/emoji.ts";
import type { getExports } from "../api/exports.ts";
import { type getInvitations, invitationId } from "../api/invitations.ts";
import type { getProfileFields } from "../api/profile-fields.ts";
import { accountState, type getUsers, type User, userAddress } from "../api/users.ts";
import type { AccountId } from "../client/sending-types.ts";
import { membersOf } from "../common/object-members.ts";
import { day } from "../common/unit-sizes.ts";
import { type KindName, kindNames } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";
import { unambiguousName } from "../notation/name.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { timeText } from "../output/when.ts";
import type { Call } from "../wire/call.ts";
import type { AnswerOf } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import { nameListOf } from "./name-lists.ts";
import { accountDirectory, namesDirectory, namesRoot } from "./names-directory.ts";

/** Names that were not read for this long are removed. */
const days = 90;

type Line = readonly [typed: string, what?: string | false | undefined];
type Lists = Readonly<Record<string, readonly Line[]>>;

/** Returns the address of a person, or the id if the address is hidden. */
const userText = (user: User): string => userAddress(user) ?? String(user.user_id);

/** A name of several people identifies nobody. */
function byName(people: readonly User[]): Line[] {
  const lines = new Map<string, Line>();
  for (const user of people) {
    const typed = `name:${user.full_name}`;
    lines.set(typed, [typed, lines.has(typed) ? "several people" : userText(user)]);
  }
  return [...lines.values()];
}

/** Kinds whose things are typed or described in another way than their records have it. */
const ownLines = {
  user: ({ members }: AnswerOf<typeof getUsers>) => ({
    user: members.map((user) => [
      userText(user),
      user.is_active === false ? `${user.full_name}, ${accountState(user)}` : user.full_name,
    ]),
    person: byName(members),
  }),
  emoji: ({ emoji }: AnswerOf<typeof getEmoji>) => ({
    emoji: Object.values(emoji).flatMap(({ name, deactivated }) => (deactivated ? [] : [[name]])),
  }),
  domain: ({ domains }: AnswerOf<typeof getDomains>) => ({
    domain: domains.map(({ domain, allow_subdomains }) => [domain, allow_subdomains && "with subdomains"]),
  }),
  export: ({ exports }: AnswerOf<typeof getExports>) => ({
    export: exports.map(({ id, export_time }) => [String(id), timeText(export_time)]),
  }),
  // A link is a secret.
  invitation: ({ invites }: AnswerOf<typeof getInvitations>) => ({
    invitation: invites.map((each) => [invitationId(each), each.email ?? `link of ${timeText(each.invited)}`]),
  }),
  profile_field: ({ custom_fields }: AnswerOf<typeof getProfileFields>) => ({
    // The value begins after the first `=`.
    "profile-field": custom_fields.filter(({ name }) => !name.includes("=")).map(({ name, hint }) => [name, hint]),
  }),
} satisfies { readonly [K in KindName]?: (answer: never) => Lists };

const hasOwnLines = (name: KindName): name is keyof typeof ownLines => Object.hasOwn(ownLines, name);

/** Returns the name of the file of a kind. */
const fileOf = (name: KindName): string => name.replaceAll("_", "-");

/** Returns what is typed for a thing, and what is shown beside it. */
function lineOf({ id = "id", title = "name", typedById, state, about = [] }: Kind, record: unknown): Line {
  const members = membersOf(record);
  const isArchived = state && members[state.member] === state.value;
  const texts = about.flatMap((member) => members[member] ?? []).join(", ");
  return [
    typedById ? String(members[id]) : unambiguousName(String(members[title])),
    isArchived ? state.events[0] : texts,
  ];
}

/** Returns the complete list of a kind. Undefined for a partial read. */
function listsOf({ operation, args }: Call, answer: Record<string, unknown>): Lists {
  const read = nameListOf(operation.name, args);
  if (!read) return {};
  const { name, kind } = read;
  if (hasOwnLines(name)) return ownLines[name](answer as never);
  const records = Object.values(membersOf(answer[kind.read.list]));
  return { [fileOf(name)]: records.map((record) => lineOf(kind, record)) };
}

/** Names that cannot be typed, or would deceive readers, are left out. */
const fileText = (lines: readonly Line[]): string =>
  lines
    .filter(([typed]) => sanitizeLine(typed) === typed)
    .map(([typed, what]) => (what ? `${typed}\t${sanitizeLine(what).slice(0, 100)}\n` : `${typed}\n`))
    .sort()
    .join("");

/** A list that was read, and the account. */
export interface ReadList {
  account: AccountId;
  call: Call;
  answer: Record<string, unknown>;
}

/** Returns the names of files of an account, also while they are written. */
const fileNames = new RegExp(`^(person|${kindNames.map(fileOf).join("|")})(-\\d+-[0-9a-z]+)?$`);
const account = /^https?%3A%2F%2F[^+]+\+[^+]+$/;

/** Saves what was read, and removes old files. */
export async function saveNames(
  { files, directories, clock }: Pick<World, "files" | "directories" | "clock">,
  lists: readonly ReadList[],
): Promise<void> {
  const writing = lists.flatMap(({ account, call, answer }) =>
    Object.entries(listsOf(call, answer)).map(([kind, lines]) =>
      files.write(`${namesDirectory(directories.cache, account)}/${kind}`, fileText(lines)),
    ),
  );
  await Promise.all(writing);
  const oldest = clock.now() - days * day;
  await files.sweep(
    namesRoot(directories.cache),
    fileNames,
    (name, modified) => modified >= oldest || !account.test(name),
  );
}

/** Removes the names of an account. */
export const forgetNames = (
  { files, directories }: Pick<World, "files" | "directories">,
  gone: AccountId,
): Promise<void> => files.sweep(namesRoot(directories.cache), fileNames, (name) => name !== accountDirectory(gone));
