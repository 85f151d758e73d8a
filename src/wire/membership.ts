/** Lists of members, for merging, checking, comparing and reporting. They follow from the statements of kinds. */
import { type Fields, membersOf, numbersIn } from "../common/object-members.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { type ListName, listKey, listNamed, type StatedList } from "../model/kinds/lists.ts";
import { type Impact, listImpacts } from "./impact.ts";
import type { MemberRules } from "./member-list.ts";
import { type AnyOperation, type MemberList, type Membership, pathParameter } from "./operation.ts";

/** A kind of list. Each thing has one. */
export interface ListKind extends MemberRules {
  /** Returns the list of the thing with this id. */
  of(id: number): MemberList;
}

/** Returns the rules for members of a list. The flags for further lists of a kind have its name. */
function memberRulesOf({ name, kind, plural, one, of, isFirst, strict }: StatedList): MemberRules {
  const suffix = isFirst ? "" : `-${plural}`;
  const { one: owner } = kindNamed(kind);
  return {
    ...{ name, one, kind: of },
    flags: { added: `--add${suffix}`, removed: `--delete${suffix}`, whole: `--set${suffix}` },
    ...(strict && {
      memberError: (id: number) => `${of} ${id} is already a ${one} of this ${owner}`,
      nonMemberError: (id: number) => `${of} ${id} is not a ${one} of this ${owner}`,
    }),
  };
}

/** Makes a kind of list from its statement. `read`: the operation that the statement names, or that reads the kind. */
export function listKind(name: ListName, read: AnyOperation): ListKind {
  const stated = listNamed(name);
  const { kind, member } = stated;
  const { id: idMember = "id", read: all } = kindNamed(kind);
  const rules = memberRulesOf(stated);
  if (stated.read) {
    const { list, args } = stated.read;
    const members = (answer: Fields) => numbersIn(answer[list]);
    return {
      ...rules,
      of: (id) => ({
        list: listKey(stated, id),
        owner: id,
        read,
        args: { [pathParameter(read)]: id, ...args },
        members,
      }),
    };
  }
  const members = (answer: Fields, id: number) => {
    const records = Object.values(membersOf(answer[all.list])).map(membersOf);
    return numbersIn(records.find((record) => record[idMember] === id)?.[member]);
  };
  return {
    ...rules,
    of: (id) => ({
      ...{ list: listKey(stated, id), owner: id, read, args: { ...all.args } },
      members: (answer) => members(answer, id),
    }),
  };
}

export const membership = (
  { of, ...rules }: ListKind,
  id: number,
  added: readonly number[] = [],
  removed: readonly number[] = [],
): Membership =>
  // Spreads come last: an object that begins with one takes ten times as long, and as much memory, in every row of a batch.
  ({ added, removed, ...of(id), ...rules });

/** Returns what an operation does to lists, and the memberships that it changes, as the statements of the lists say. */
export function changesOf(operation: string, lists: readonly ListKind[]) {
  const stated = lists.map((list) => ({ list, ...listNamed(list.name) }));
  const idIn = ({ add, remove }: StatedList, args: Fields): number | undefined => {
    const id = args[add.operation === operation ? add.thing : remove.thing];
    return typeof id === "number" ? id : undefined;
  };
  const changed = ({ add, remove }: StatedList, args: Fields) => ({
    added: add.operation === operation ? numbersIn(args[add.members]) : [],
    removed: remove.operation === operation ? numbersIn(args[remove.members]) : [],
  });
  return {
    effects: (args: Fields): Impact[] =>
      stated.flatMap((each) => {
        const id = idIn(each, args);
        const { added, removed } = changed(each, args);
        return id === undefined ? [] : listImpacts(each.name, id, added, removed);
      }),
    memberships: (args: Fields): Membership[] =>
      stated.flatMap((each) => {
        const id = idIn(each, args);
        const { added, removed } = changed(each, args);
        return id === undefined ? [] : [membership(each.list, id, added, removed)];
      }),
  };
}
