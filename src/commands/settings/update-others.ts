/** Changes settings of people who are there already. */

import { updateSettings } from "../../api/user-settings.ts";
import { getOwnUser, type User } from "../../api/users.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { renderSettings } from "../../cli/render-settings.ts";
import { counted } from "../../common/counted.ts";
import { keyBy } from "../../common/group-by.ts";
import { change } from "../../engine/change.ts";
import { Refused, Usage } from "../../errors.ts";
import { portions } from "../../model/kinds/lists.ts";
import { settingsOfOthers } from "../../model/personal.ts";
import { programLine } from "../../output/line.ts";
import { findListed } from "../../resolve/listed.ts";
import type { Context, Planned } from "../../run/context.ts";
import { readValue, settingNameOfOthers } from "./setting-values.ts";

/** Reads `name=value`. `what`: the place in messages. `nameOf` returns the name of a typed one. */
export function readAssignments(
  nameOf: (typed: string) => string,
  all: readonly string[],
  what: string,
): Map<string, string> {
  const assignments = new Map<string, string>();
  for (const text of all) {
    const at = text.indexOf("=");
    if (at < 0) throw new Usage(`${what} must be <name>=<value>: "${text}" has no =`);
    const name = nameOf(text.slice(0, at));
    const value = text.slice(at + 1);
    if (assignments.has(name) && assignments.get(name) !== value) throw new Usage(`${what} names ${name} twice`);
    assignments.set(name, value);
  }
  return assignments;
}

interface Options {
  assignments: string[];
  people: readonly TextInput[][];
  overwrite?: boolean | undefined;
}

const flag = "--people";

/**
 * Returns the people whose settings change. Servers refuse the whole request if a bot is among them or in a group, so bots
 * in groups are left out here, and no group is sent.
 */
async function findPeople({ names }: Context, lists: readonly TextInput[][]): Promise<User[]> {
  const accounts = keyBy(await names.accounts(), ({ user_id }) => user_id);
  const people = new Set<User>();
  for (const list of lists)
    for (const { id, member } of await findListed(names, "user", list, flag)) {
      const user = accounts.get(id);
      if (!user) throw new Usage(`${flag}: user ${id} not found, or not visible to this account`);
      if (!user.is_bot) people.add(user);
      else if (!member) throw new Usage(`${flag}: ${user.full_name} is a bot, and bots have no such settings`);
    }
  return [...people];
}

const countedPeople = (all: readonly User[]): string => counted(all.length, "person", "people");

export async function updateOthers(context: Context, { assignments, people, overwrite }: Options): Promise<Planned> {
  const { names } = context;
  const texts = readAssignments(settingNameOfOthers, assignments, "settings update");
  const settings = [...texts].flatMap(([name, text]) => {
    const setting = settingsOfOthers[name];
    return setting ? [{ name, read: readValue(name, setting, text) }] : [];
  });
  await context.checkSupported(updateSettings, [
    { param: "target_users", flag },
    ...settings.map(({ name }) => ({ param: name, flag: name })),
  ]);
  const touched = await findPeople(context, people);
  if (!touched.length) throw new Usage(`${flag} names nobody, so nothing would change`);
  const { user_id: me } = await (await context.server()).lookUp(getOwnUser, {});
  if ((await names.person(me))?.is_bot)
    throw new Refused("permission denied: bots cannot change settings of others", {
      hint: "Use the account of an administrator with --profile.",
    });
  const values: Record<string, unknown> = {};
  for (const { name, read } of settings) values[name] = await read(names, undefined, {});
  if (context.flags.dryRun) {
    const names = touched.map(({ full_name, user_id }) => `${full_name} (${user_id})`);
    const rest = overwrite ? "also where they chose for themselves" : "except where they chose for themselves";
    await context.note(programLine(`it would change ${countedPeople(touched)}, ${rest}: ${names.join(", ")}`));
  }
  const inWords = await renderSettings(names, updateSettings, values);
  const changes = portions(touched).map((some) => {
    const user_ids = some.map(({ user_id }) => user_id);
    const count = countedPeople(some);
    return change(
      updateSettings,
      { ...values, target_users: { user_ids, group_ids: [], skip_if_already_edited: !overwrite } },
      {
        target: Object.keys(values).join(", "),
        done: "For {people}: {settings}.",
        words: { people: overwrite ? count : `${count}, except where they chose for themselves` },
        settings: inWords,
        flags: { target_users: flag, ...Object.fromEntries(settings.map(({ name }) => [name, name])) },
        // No call reads settings of others. The log has who changed them.
        verifyWith: "zulipctl audit log --kind user",
      },
    );
  });
  return { changes, list: true };
}
