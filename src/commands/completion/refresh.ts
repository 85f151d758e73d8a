import { registerPart } from "../../api/events.ts";
import { operationNamed } from "../../api/registry.ts";
import { counted } from "../../common/counted.ts";
import { membersOf } from "../../common/object-members.ts";
import { Refused, TooOld, Usage } from "../../errors.ts";
import { type Changed, changed } from "../../output/form.ts";
import { nameLists } from "../../resolve/name-lists.ts";
import { type Context, type LocalChange, localChange } from "../../run/context.ts";

/** Nothing, if the server does not support the read or refuses it. */
const noneIfRefused = (error: unknown): Readonly<Record<string, unknown>> => {
  if (error instanceof TooOld || error instanceof Refused) return {};
  throw error;
};

async function readNames({ server: connect, world, saveNames }: Context): Promise<Changed> {
  const server = await connect();
  const counts: [name: string, words: string, count: number][] = [];
  for (const { name, kind } of nameLists) {
    const { operation, args, parts, list } = kind.read;
    const read = operationNamed(operation);
    const answer = read
      ? await server.call(read, parts ? registerPart(...parts) : (args ?? {})).catch(noneIfRefused)
      : {};
    const count = Object.keys(membersOf(answer[list])).length;
    counts.push([name, counted(count, kind.one, kind.plural), count]);
  }
  await saveNames().catch((error: Error) => {
    throw new Usage(`cannot save names in ${world.directories.cache}: ${error.message}`);
  });
  return changed(
    `Completion knows ${counts.map(([, words]) => words).join(", ")} of ${server.host}.`,
    Object.fromEntries(counts.map(([name, , count]) => [`${name}s`, count])),
  );
}

export const refreshNames = async (context: Context): Promise<LocalChange> => localChange(() => readNames(context));
