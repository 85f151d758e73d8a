import { getFolders } from "../../api/folders.ts";
import { deactivatedToo, getGroups } from "../../api/groups.ts";
import { getLinkifiers } from "../../api/linkifiers.ts";
import { getUsers } from "../../api/users.ts";
import { counted } from "../../counted.ts";
import { TooOld, Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { readChannels } from "../../resolve/channels.ts";
import { type Heard, keepNames } from "../../resolve/kept-names.ts";
import { type LocalChange, local } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { AnyOperation, ArgsOf } from "../../wire/operation.ts";

/** In the order in which they are told. */
const kinds = {
  "channel.list": ["streams", "channel"],
  "group.list": ["user_groups", "group"],
  "folder.list": ["channel_folders", "folder"],
  "users.list": ["members", "user"],
  "linkifier.list": ["linkifiers", "linkifier"],
} as const;

async function read(context: Context): Promise<Changed> {
  const server = await context.server();
  const level = await server.level();
  const by = { site: server.site, email: server.email ?? "" };
  const heard: Heard[] = [];
  const ask = async <O extends AnyOperation>(operation: O, args: ArgsOf<O>) => {
    const answer = await server.call(operation, args);
    heard.push({ by, asked: call(operation, args), answer });
    return answer;
  };
  await readChannels(ask, level, { archived: true });
  await ask(getGroups, deactivatedToo(level));
  await ask(getFolders, { include_archived: true }).catch((error: unknown) => {
    // What the server does not have has no names.
    if (!(error instanceof TooOld)) throw error;
  });
  await ask(getUsers, {});
  await ask(getLinkifiers, {});
  await keepNames(context.world, heard).catch((error: Error) => {
    throw new Usage(`the names cannot be kept in ${context.world.places.cache}: ${error.message}`);
  });
  const counts = heard.map(({ asked, answer }) => {
    const [member, noun] = kinds[asked.operation.name as keyof typeof kinds];
    return [noun, (answer[member] as unknown[]).length] as const;
  });
  const told = counts.map(([noun, count]) => counted(count, noun)).join(", ");
  return {
    kind: "change",
    sentence: `Completion knows ${told} of ${server.host}.`,
    answer: Object.fromEntries(counts.map(([noun, count]) => [`${noun}s`, count])),
    ids: [],
  };
}

/** It changes the cache of this machine alone. */
export const refresh = async (context: Context): Promise<LocalChange> => local(() => read(context));
