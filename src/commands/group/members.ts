import { getMembers, getSubgroups, updateMembers } from "../../api/groups.ts";
import { getUsers, type User } from "../../api/users.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import type { Listing, Result } from "../../output/form.ts";
import type { Context, Planned } from "../../shell/context.ts";
import { formOf } from "../../shell/flags.ts";
import type { Given } from "../../shell/given.ts";
import { labels } from "../../shell/labels.ts";
import { parts } from "../../shell/parts.ts";
import { namesOf } from "../../shell/text.ts";
import { type Person, userColumns } from "../users/columns.ts";

interface Options {
  add?: Given[];
  delete?: Given[];
  addSubgroups?: Given[];
  deleteSubgroups?: Given[];
}

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

/** Each once; a second mention changes nothing for the server either. */
const distinct = (ids: readonly number[]) => [...new Set(ids)];

function refuseBoth(added: readonly number[], deleted: readonly number[], kind: string, flags: [string, string]) {
  const gone = new Set(deleted);
  const both = added.filter((id) => gone.has(id));
  if (both.length) throw new Usage(`${flags.join(" and ")} both name ${kind} ${both.join(", ")}`);
}

const count = (number: number, what: string, verb: string) =>
  number ? [`${number} ${what}${number === 1 ? "" : "s"} ${verb}`] : [];

export async function members(context: Context, options: Options, group: string): Promise<Planned | Result> {
  const { find, world } = context;
  const lists = {
    "--add": options.add,
    "--delete": options.delete,
    "--add-subgroups": options.addSubgroups,
    "--delete-subgroups": options.deleteSubgroups,
  };
  const typed = new Map<string, string[]>();
  for (const [flag, values] of Object.entries(lists)) typed.set(flag, await namesOf(world, flag, values ?? []));
  const user_group_id = await find.group(group, "<group>");
  if (Object.values(lists).every((values) => values === undefined)) return show(context, user_group_id, group);

  const ids = async (flag: keyof typeof lists, kind: "user" | "group") => {
    const found = [];
    for (const name of typed.get(flag)!) found.push(await find[kind](name, flag));
    return distinct(found);
  };
  const added = await ids("--add", "user");
  const deleted = await ids("--delete", "user");
  const subgroups = await ids("--add-subgroups", "group");
  const formerly = await ids("--delete-subgroups", "group");
  refuseBoth(added, deleted, "user", ["--add", "--delete"]);
  refuseBoth(subgroups, formerly, "group", ["--add-subgroups", "--delete-subgroups"]);

  const some = (list: number[]) => (list.length ? list : undefined);
  const words = [
    ...count(added.length, "member", "added"),
    ...count(deleted.length, "member", "removed"),
    ...count(subgroups.length, "subgroup", "added"),
    ...count(formerly.length, "subgroup", "removed"),
  ];
  if (!words.length) return { kind: "change", sentence: `Nothing to do for group ${group}.`, answer: {}, ids: [] };
  return [
    change(
      updateMembers,
      {
        user_group_id,
        add: some(added),
        delete: some(deleted),
        add_subgroups: some(subgroups),
        delete_subgroups: some(formerly),
      },
      {
        target: group,
        done: `Group {target}: ${words.join(", ")}.`,
        verifyWith: `zulipctl group members ${user_group_id}`,
      },
    ),
  ];
}
