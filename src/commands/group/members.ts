import { getMembers, getSubgroups, updateMembers } from "../../api/groups.ts";
import { getUsers, type User } from "../../api/users.ts";
import { formOf } from "../../argv/flags.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf } from "../../argv/text.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import type { Listing, Result } from "../../output/form.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context, Planned } from "../../run/context.ts";
import { labels } from "../../run/labels.ts";
import { type Person, userColumns } from "../users/columns.ts";
import { changeOf, type Wish, wordsOf } from "./wish.ts";

/** Flags, what they name, and the parameters that they come to. */
const lists = {
  add: ["--add", "user", "add"],
  delete: ["--delete", "user", "delete"],
  set: ["--set", "user", "add"],
  addSubgroups: ["--add-subgroups", "group", "add_subgroups"],
  deleteSubgroups: ["--delete-subgroups", "group", "delete_subgroups"],
  setSubgroups: ["--set-subgroups", "group", "add_subgroups"],
} as const;
type List = keyof typeof lists;

type Options = { [list in List]?: Given[] } & { ifChanged?: boolean };

const sets: readonly List[] = ["set", "setSubgroups"];

/** A server of level 384 can be asked for some people alone. */
async function records({ server }: Context, ids: readonly number[]): Promise<Person[]> {
  const to = await server();
  const chosen = (await to.level()) >= 384;
  const asked = chosen ? parts(to.site, getUsers, { name: "user_ids", ids, flag: "<group>" }, {}) : [{}];
  const known = new Map<number, User>();
  for (const args of ids.length ? asked : [])
    for (const user of (await to.call(getUsers, args)).members) known.set(user.user_id, user);
  return ids.map((user_id) => known.get(user_id) ?? { user_id });
}

/** Direct members, as records of people; a note names the subgroups. */
async function show(context: Context, user_group_id: number, group: string): Promise<Listing<Person>> {
  const { ask, flags, server } = context;
  const { members } = await ask(getMembers, { user_group_id, direct_member_only: true });
  const form = formOf(flags);
  const subgroups =
    form === "table" && !flags.quiet
      ? (await (await server()).call(getSubgroups, { user_group_id, direct_subgroup_only: true })).subgroups
      : [];
  const called = await labels(context, "group", subgroups);
  return {
    kind: "listing",
    records:
      form === "ids" || form === "none" ? members.map((user_id) => ({ user_id })) : await records(context, members),
    id: ({ user_id }) => user_id,
    columns: userColumns,
    note: subgroups.length
      ? `These are the direct members. Group ${group} also has the members of ${subgroups.length === 1 ? "its subgroup" : "its subgroups"} ${subgroups.map(called).join(", ")}.`
      : undefined,
  };
}

function refuseBoth(added: readonly number[], deleted: readonly number[], kind: string, flags: [string, string]) {
  const gone = new Set(deleted);
  const both = added.filter((id) => gone.has(id));
  if (both.length) throw new Usage(`${flags.join(" and ")} both name ${kind} ${both.join(", ")}`);
}

/** The items of each list that is given. Of a set `''` says that there are none. */
async function typed({ world }: Context, options: Options): Promise<Map<List, string[]>> {
  const all = new Map<List, string[]>();
  for (const [list, [flag]] of Object.entries(lists) as [List, (typeof lists)[List]][]) {
    const values = sets.includes(list) ? options[list]?.filter(({ text }) => text !== "") : options[list];
    if (values) all.set(list, await namesOf(world, flag, values));
  }
  return all;
}

function examine(given: ReadonlyMap<List, readonly string[]>, { flags }: Context, group: string): void {
  const set = sets.find((list) => given.has(list));
  const other = [...given.keys()].find((list) => !sets.includes(list));
  if (set && other) throw new Usage(`${lists[set][0]} and ${lists[other][0]} contradict each other`);
  const empty = sets.find((list) => given.get(list)?.length === 0);
  if (!empty || flags.yes) return;
  const [flag, kind] = lists[empty];
  throw new Usage(
    `${flag} names ${kind === "user" ? "nobody" : "no group"}, which leaves group ${group} no ${kind === "user" ? "direct member" : "subgroup"} at all; confirm it with --yes`,
  );
}

export async function members(context: Context, options: Options, group: string): Promise<Planned | Result> {
  const { find } = context;
  const given = await typed(context, options);
  if (!given.size && options.ifChanged)
    throw new NothingAsked("--if-changed needs a flag that says what to change, such as --add or --delete");
  examine(given, context, group);
  const asked = [...given].filter(([list, names]) => names.length > 0 || sets.includes(list));
  await context.foresee(
    updateMembers,
    asked.map(([list]) => ({ param: lists[list][2], flag: lists[list][0] })),
  );
  const user_group_id = await find.group(group, "<group>");
  if (!given.size) return show(context, user_group_id, group);

  // Each once; a second mention changes nothing for the server either.
  const ids = async (list: List) => {
    const [flag, kind] = lists[list];
    const found = new Set<number>();
    for (const name of given.get(list) ?? []) found.add(await find[kind](name, flag));
    return [...found];
  };
  const wish: Wish = {
    user_group_id,
    add: await ids("add"),
    delete: await ids("delete"),
    add_subgroups: await ids("addSubgroups"),
    delete_subgroups: await ids("deleteSubgroups"),
  };
  refuseBoth(wish.add, wish.delete, "user", ["--add", "--delete"]);
  refuseBoth(wish.add_subgroups, wish.delete_subgroups, "group", ["--add-subgroups", "--delete-subgroups"]);
  const whole = sets.some((list) => given.has(list));
  if (!whole && !wordsOf(wish).length)
    return {
      kind: "change",
      sentence: `Nothing to do for group ${group}.`,
      answer: options.ifChanged ? { unchanged: true } : {},
      ids: [],
    };
  if (!whole && !options.ifChanged) return [changeOf(wish, group)];
  const { compared } = await import("./compare.ts");
  const users = given.has("set") ? await ids("set") : undefined;
  const subgroups = given.has("setSubgroups") ? await ids("setSubgroups") : undefined;
  return [await compared(context, wish, { users, subgroups }, group)];
}
