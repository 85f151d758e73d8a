import { allChannelsArgs } from "../../api/channels.ts";
import { registerPart } from "../../api/events.ts";
import { allGroupsArgs } from "../../api/groups.ts";
import { operationNamed } from "../../api/registry.ts";
import { counted } from "../../common/counted.ts";
import { membersOf, namesOf } from "../../common/members.ts";
import { Refused, TooOld, Usage } from "../../errors.ts";
import { type Changed, changed } from "../../output/form.ts";
import { nameLists } from "../../resolve/name-lists.ts";
import { type Context, type LocalChange, localChange } from "../../run/context.ts";

/** Arguments that return every thing. */
const argsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  channel: allChannelsArgs,
  group: allGroupsArgs,
  folder: { include_archived: true },
  playground: registerPart(nameLists["events.register"].list),
};

/** Nothing, if the server does not support the read or refuses it. */
const noneIfRefused = (error: unknown): Readonly<Record<string, unknown>> => {
  if (error instanceof TooOld || error instanceof Refused) return {};
  throw error;
};

async function readNames({ server: connect, world, saveNames }: Context): Promise<Changed> {
  const server = await connect();
  const counts: [noun: string, count: number][] = [];
  for (const name of namesOf(nameLists)) {
    const { kind, list } = nameLists[name];
    const read = operationNamed(name);
    const answer = read ? await server.call(read, argsOf[kind] ?? {}).catch(noneIfRefused) : {};
    counts.push([kind, Object.keys(membersOf(answer[list])).length]);
  }
  await saveNames().catch((error: Error) => {
    throw new Usage(`cannot save names in ${world.directories.cache}: ${error.message}`);
  });
  return changed(
    `Completion knows ${counts.map(([noun, count]) => counted(count, noun)).join(", ")} of ${server.host}.`,
    Object.fromEntries(counts.map(([noun, count]) => [`${noun.replace(" ", "_")}s`, count])),
  );
}

export const refresh = async (context: Context): Promise<LocalChange> => localChange(() => readNames(context));
