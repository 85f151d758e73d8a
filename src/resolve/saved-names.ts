/**
 * Keeps the names of an organization for completion, which asks no server. Each kind has a sorted file, so that a
 * prefix is found fast: the typed text, a tab, a description.
 */
import type { getAttachments } from "../api/attachments.ts";
import type { getChannels } from "../api/channels.ts";
import type { getDomains } from "../api/domains.ts";
import type { getDrafts } from "../api/drafts.ts";
import type { getEmoji } from "../api/emoji.ts";
import type { register } from "../api/events.ts";
import type { getExports } from "../api/exports.ts";
import type { getFolders } from "../api/folders.ts";
import type { getGroups } from "../api/groups.ts";
import { type getInvitations, invitationId } from "../api/invitations.ts";
import type { getLinkifiers } from "../api/linkifiers.ts";
import type { getProfileFields } from "../api/profile-fields.ts";
import { addressOf, type getUsers, stateOf, type User } from "../api/users.ts";
import { unambiguousName } from "../notation/name.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { when } from "../output/when.ts";
import type { Call } from "../wire/call.ts";
import type { AnswerOf } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import { type AccountId, accountDirectory, namesDirectory, namesRoot } from "./names-directory.ts";

/** Names that were not read for this long are removed. */
const days = 90;

type Line = readonly [typed: string, what?: string | false | undefined];
type Lists = Readonly<Record<string, readonly Line[]>>;

/** Returns the address of a person, or the id if the address is hidden. */
const userText = (user: User): string => addressOf(user) ?? String(user.user_id);

/** A name of several people identifies nobody. */
function byName(people: readonly User[]): Line[] {
  const lines = new Map<string, Line>();
  for (const user of people) {
    const typed = `name:${user.full_name}`;
    lines.set(typed, [typed, lines.has(typed) ? "several people" : userText(user)]);
  }
  return [...lines.values()];
}

/** By the operation that was read. */
const listReaders = {
  "channel.list": ({ streams: all }: AnswerOf<typeof getChannels>) => ({
    channel: all.map(({ name, is_archived, description }) => [
      unambiguousName(name),
      is_archived ? "archived" : description,
    ]),
  }),
  "group.list": ({ user_groups: all }: AnswerOf<typeof getGroups>) => ({
    group: all.map(({ name, deactivated, description }) => [
      unambiguousName(name),
      deactivated ? "deactivated" : description,
    ]),
  }),
  "folder.list": ({ channel_folders: all }: AnswerOf<typeof getFolders>) => ({
    folder: all.map(({ name, is_archived, description }) => [
      unambiguousName(name),
      is_archived ? "archived" : description,
    ]),
  }),
  "users.list": ({ members }: AnswerOf<typeof getUsers>) => ({
    user: members.map((user) => [
      userText(user),
      user.is_active === false ? `${user.full_name}, ${stateOf(user)}` : user.full_name,
    ]),
    person: byName(members),
  }),
  "linkifier.list": ({ linkifiers }: AnswerOf<typeof getLinkifiers>) => ({
    linkifier: linkifiers.map(({ id, pattern }) => [String(id), pattern]),
  }),
  "emoji.list": ({ emoji }: AnswerOf<typeof getEmoji>) => ({
    emoji: Object.values(emoji).flatMap(({ name, deactivated }) => (deactivated ? [] : [[name]])),
  }),
  "domain.list": ({ domains }: AnswerOf<typeof getDomains>) => ({
    domain: domains.map(({ domain, allow_subdomains }) => [domain, allow_subdomains && "with subdomains"]),
  }),
  "events.register": ({ realm_playgrounds = [] }: AnswerOf<typeof register>) => ({
    playground: realm_playgrounds.map(({ id, name, pygments_language }) => [
      String(id),
      `${name}, ${pygments_language}`,
    ]),
  }),
  "drafts.list": ({ drafts }: AnswerOf<typeof getDrafts>) => ({
    draft: drafts.map(({ id, content }) => [String(id), content]),
  }),
  "export.list": ({ exports }: AnswerOf<typeof getExports>) => ({
    export: exports.map(({ id, export_time }) => [String(id), when(export_time)]),
  }),
  "attachment.list": ({ attachments }: AnswerOf<typeof getAttachments>) => ({
    attachment: attachments.map(({ id, name }) => [String(id), name]),
  }),
  // A link is a secret.
  "invite.list": ({ invites }: AnswerOf<typeof getInvitations>) => ({
    invitation: invites.map((each) => [invitationId(each), each.email ?? `link of ${when(each.invited)}`]),
  }),
  "profile-field.list": ({ custom_fields }: AnswerOf<typeof getProfileFields>) => ({
    // The value begins after the first `=`.
    "profile-field": custom_fields.filter(({ name }) => !name.includes("=")).map(({ name, hint }) => [name, hint]),
  }),
} satisfies Record<string, (answer: never) => Lists>;

const isSaved = (name: string): name is keyof typeof listReaders => Object.hasOwn(listReaders, name);

/** Returns the complete list of a kind. Undefined for a partial read. */
const listsOf = ({ operation, args }: Call, answer: Record<string, unknown>): Lists =>
  isSaved(operation.name) && !("user_ids" in args) ? listReaders[operation.name](answer as never) : {};

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
const fileNames =
  /^(channel|group|folder|user|person|linkifier|emoji|domain|playground|draft|export|attachment|invitation|profile-field)(-\d+-[0-9a-z]+)?$/;
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
  const oldest = clock.now() - days * 24 * 3_600_000;
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
