import { getAttachments } from "../../api/attachments.ts";
import { allChannelsArgs, getChannels } from "../../api/channels.ts";
import { getDomains } from "../../api/domains.ts";
import { getDrafts } from "../../api/drafts.ts";
import { getEmoji } from "../../api/emoji.ts";
import { register, registerPart } from "../../api/events.ts";
import { getExports } from "../../api/exports.ts";
import { getFolders } from "../../api/folders.ts";
import { allGroupsArgs, getGroups } from "../../api/groups.ts";
import { getInvitations } from "../../api/invitations.ts";
import { getLinkifiers } from "../../api/linkifiers.ts";
import { getProfileFields } from "../../api/profile-fields.ts";
import { getUsers } from "../../api/users.ts";
import { counted } from "../../common/counted.ts";
import { Refused, TooOld, Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { type Context, type LocalChange, localChange } from "../../run/context.ts";

/** Nothing, if the server does not support the read or refuses it. */
const noneIfRefused = (error: unknown): readonly unknown[] => {
  if (error instanceof TooOld || error instanceof Refused) return [];
  throw error;
};

async function readNames({ server: connect, world, saveNames }: Context): Promise<Changed> {
  const server = await connect();
  const ask: typeof server.call = (operation, args) => server.call(operation, args);
  const records = {
    channel: await ask(getChannels, allChannelsArgs).then(({ streams }) => streams, noneIfRefused),
    group: await ask(getGroups, allGroupsArgs).then((answer) => answer.user_groups, noneIfRefused),
    folder: await ask(getFolders, { include_archived: true }).then((answer) => answer.channel_folders, noneIfRefused),
    user: await ask(getUsers, {}).then(({ members }) => members, noneIfRefused),
    linkifier: await ask(getLinkifiers, {}).then(({ linkifiers }) => linkifiers, noneIfRefused),
    draft: await ask(getDrafts, {}).then(({ drafts }) => drafts, noneIfRefused),
    export: await ask(getExports, {}).then(({ exports }) => exports, noneIfRefused),
    attachment: await ask(getAttachments, {}).then(({ attachments }) => attachments, noneIfRefused),
    invitation: await ask(getInvitations, {}).then(({ invites }) => invites, noneIfRefused),
    emoji: await ask(getEmoji, {}).then(({ emoji }) => Object.values(emoji), noneIfRefused),
    domain: await ask(getDomains, {}).then(({ domains }) => domains, noneIfRefused),
    playground: await ask(register, registerPart("realm_playgrounds")).then(
      ({ realm_playgrounds = [] }) => realm_playgrounds,
      noneIfRefused,
    ),
    "profile field": await ask(getProfileFields, {}).then((answer) => answer.custom_fields, noneIfRefused),
  };
  await saveNames().catch((error: Error) => {
    throw new Usage(`cannot save names in ${world.directories.cache}: ${error.message}`);
  });
  const counts = Object.entries(records).map(([noun, { length }]) => [noun, length] as const);
  return {
    kind: "change",
    sentence: `Completion knows ${counts.map(([noun, count]) => counted(count, noun)).join(", ")} of ${server.host}.`,
    answer: Object.fromEntries(counts.map(([noun, count]) => [`${noun.replace(" ", "_")}s`, count])),
    ids: [],
  };
}

export const refresh = async (context: Context): Promise<LocalChange> => localChange(() => readNames(context));
