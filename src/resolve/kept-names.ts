/**
 * The names of an organization, kept in the cache for completion, which asks no server. A file a kind, its lines in
 * order, so that what begins with a word is found without reading the rest: what is typed, a tab, what it is.
 */
import type { Attachment } from "../api/attachments.ts";
import type { Channel } from "../api/channels.ts";
import type { DataExport } from "../api/exports.ts";
import type { Folder } from "../api/folders.ts";
import type { Group } from "../api/groups.ts";
import type { Invitation } from "../api/invitations.ts";
import type { ProfileField } from "../api/profile-fields.ts";
import { addressOf, type User } from "../api/users.ts";
import { spelled } from "../notation/name.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { when } from "../output/when.ts";
import type { Call } from "../wire/call.ts";
import type { World } from "../world.ts";
import { accountName, allNames, namesPlace, type Seer } from "./names-place.ts";

interface Linkifier {
  id: number;
  pattern: string;
  url_template?: string;
}

interface Draft {
  id: number;
  content: string;
}

/** Accounts whose names nobody has read for so long are forgotten. */
const days = 90;

type Line = readonly [typed: string, what?: string | false | undefined];
type Lists = Readonly<Record<string, readonly Line[]>>;

/** What names a person: the address, or the id of one whose address the account may not see. */
const typedFor = (user: User): string => addressOf(user) ?? String(user.user_id);

/** A name that several people have names nobody. */
function byName(people: readonly User[]): Line[] {
  const lines = new Map<string, Line>();
  for (const user of people) {
    const typed = `name:${user.full_name}`;
    lines.set(typed, [typed, lines.has(typed) ? "several people" : typedFor(user)]);
  }
  return [...lines.values()];
}

const found: Readonly<Record<string, (answer: Record<string, unknown>) => Lists>> = {
  "channel.list": ({ streams }) => ({
    channel: (streams as Channel[]).map(({ name, is_archived, description }) => [
      spelled(name),
      is_archived ? "archived" : description,
    ]),
  }),
  "group.list": ({ user_groups }) => ({
    group: (user_groups as Group[]).map(({ name, deactivated, description }) => [
      spelled(name),
      deactivated ? "deactivated" : description,
    ]),
  }),
  "folder.list": ({ channel_folders }) => ({
    folder: (channel_folders as Folder[]).map(({ name, is_archived, description }) => [
      spelled(name),
      is_archived ? "archived" : description,
    ]),
  }),
  "users.list": ({ members }) => ({
    user: (members as User[]).map((user) => [
      typedFor(user),
      user.is_active === false ? `${user.full_name}, deactivated` : user.full_name,
    ]),
    person: byName(members as User[]),
  }),
  "linkifier.list": ({ linkifiers }) => ({
    linkifier: (linkifiers as Linkifier[]).map(({ id, pattern }) => [String(id), pattern]),
  }),
  "drafts.list": ({ drafts }) => ({
    draft: (drafts as Draft[]).map(({ id, content }) => [String(id), content]),
  }),
  "export.list": ({ exports }) => ({
    export: (exports as DataExport[]).map(({ id, export_time }) => [String(id), when(export_time)]),
  }),
  "attachment.list": ({ attachments }) => ({
    attachment: (attachments as Attachment[]).map(({ id, name }) => [String(id), name]),
  }),
  // Whoever has the address of one that is a link can follow it.
  "invite.list": ({ invites }) => ({
    invitation: (invites as Invitation[]).map(({ id, is_multiuse, email, invited }) => [
      `${is_multiuse ? "link" : "email"}:${id}`,
      email ?? `link of ${when(invited)}`,
    ]),
  }),
  "profile-field.list": ({ custom_fields }) => ({
    "profile-field": (custom_fields as ProfileField[])
      // The value begins behind the first one.
      .filter(({ name }) => !name.includes("="))
      .map(({ name, hint }) => [name, hint]),
  }),
};

/** What an answer tells of all of a kind; nothing for a read that asked for some alone. */
const listsOf = ({ operation, args }: Call, answer: Record<string, unknown>): Lists =>
  Object.hasOwn(found, operation.name) && !("user_ids" in args) ? found[operation.name]!(answer) : {};

/** What cannot be typed, or would deceive who sees it, is left out. */
const written = (lines: readonly Line[]): string =>
  lines
    .filter(([typed]) => sanitizeLine(typed) === typed)
    .map(([typed, what]) => (what ? `${typed}\t${sanitizeLine(what).slice(0, 100)}\n` : `${typed}\n`))
    .sort()
    .join("");

/** A list that was read, and by whom. */
export interface Heard {
  by: Seer;
  asked: Call;
  answer: Record<string, unknown>;
}

/** What the files of an account are called, also while they are written. */
const kinds =
  /^(channel|group|folder|user|person|linkifier|draft|export|attachment|invitation|profile-field)(-\d+-[0-9a-z]+)?$/;
const account = /^https?%3A%2F%2F[^+]+\+[^+]+$/;

/** Keeps what was read in place of what was known before, and forgets what nobody has read for long. */
export async function keepNames(
  { files, places, clock }: Pick<World, "files" | "places" | "clock">,
  heard: readonly Heard[],
): Promise<void> {
  const writing = heard.flatMap(({ by, asked, answer }) =>
    Object.entries(listsOf(asked, answer)).map(([kind, lines]) =>
      files.write(`${namesPlace(places.cache, by)}/${kind}`, written(lines)),
    ),
  );
  await Promise.all(writing);
  const oldest = clock.now() - days * 24 * 3_600_000;
  await files.sweep(allNames(places.cache), kinds, (name, modified) => modified >= oldest || !account.test(name));
}

/** Forgets what an account sees. */
export const forgetNames = ({ files, places }: Pick<World, "files" | "places">, gone: Seer): Promise<void> =>
  files.sweep(allNames(places.cache), kinds, (name) => name !== accountName(gone));
