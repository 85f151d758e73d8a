/** Columns of tables as data: members of a record, their formats, and names in place of ids. */
import { type GroupSetting, whoIn } from "../model/permission.ts";
import type { Column, Single } from "../output/form.ts";
import type { NameKind } from "../resolve/look-ups.ts";
import type { Context } from "../run/context.ts";
import { type Label, labels, showsColumn } from "../run/labels.ts";

type Id = number | null | undefined;

/** Ids that a table shows as names, after one read of each kind. */
interface NamedIds<R> {
  readonly names: NameKind | ((record: R) => NameKind);
  readonly ids: (record: R) => Id | readonly number[];
  /** Known names, which need no read. */
  readonly knownNames?: ReadonlyMap<number, string>;
  /** The value outside of tables, by default the ids. */
  readonly rawValue?: (record: R) => unknown;
}

/** The value of a group setting, with names of people and groups. */
interface WhoCell<R> {
  readonly who: (record: R) => GroupSetting | undefined;
}

/** A column: a member of the record, with a format or with names in place of ids. */
export type ColumnSpec<R> = (keyof R & string) | Omit<Column<R>, "head"> | NamedIds<R> | WhoCell<R>;

/** Columns by head. Undefined ones are left out. */
export type Columns<R> = Readonly<Record<string, ColumnSpec<R> | undefined>>;

interface ColumnOptions<R> {
  /** The member with the record's id, if there is one. */
  id?: keyof R & string;
  /** All records to print: their names are read together. */
  records: readonly R[];
  /** The id comes before its name. */
  withIds?: boolean;
}

export type Labels = (kind: NameKind) => Label;

/** Ids of one kind. */
export type IdsOfKind = readonly [NameKind, readonly number[]];

const idList = (found: Id | readonly number[]): readonly number[] =>
  typeof found === "number" ? [found] : (found ?? []);

const kindOf = <R>({ names }: NamedIds<R>, record: R): NameKind =>
  typeof names === "function" ? names(record) : names;

/** Returns the ids in a group setting. */
export function idsInWho(who: unknown): IdsOfKind[] {
  const { direct_members, direct_subgroups } = whoIn(who);
  return [
    ["user", direct_members],
    ["group", direct_subgroups],
  ];
}

/** Returns the ids of a cell whose names are needed. */
function idsIn<R>(cell: ColumnSpec<R>, record: R): IdsOfKind[] {
  if (typeof cell !== "object") return [];
  if ("names" in cell) return cell.knownNames ? [] : [[kindOf(cell, record), idList(cell.ids(record))]];
  return "who" in cell ? idsInWho(cell.who(record)) : [];
}

/** Reads the names of ids, with one read for each kind. */
export async function readLabels(context: Context, all: readonly IdsOfKind[]): Promise<Labels> {
  const read = new Map<NameKind, Label>();
  for (const kind of new Set(all.map(([kind]) => kind))) {
    const ids = all.flatMap(([of, ids]) => (of === kind ? ids : []));
    read.set(kind, await labels(context, kind, ids));
  }
  return (kind) => read.get(kind) ?? ((id) => id);
}

/** Returns the people and groups of a group setting. */
export function whoText(who: unknown, label: Labels): unknown {
  if (who === undefined) return undefined;
  if (typeof who === "number") return label("group")(who);
  const { direct_members, direct_subgroups } = whoIn(who);
  const all = [
    ...direct_members.map((id) => `user ${label("user")(id)}`),
    ...direct_subgroups.map((id) => `group ${label("group")(id)}`),
  ];
  return all.join(", ") || "nobody";
}

function columnOf<R>(head: string, cell: ColumnSpec<R>, label: Labels | undefined, id?: keyof R & string): Column<R> {
  if (typeof cell !== "object")
    return { head, value: (record) => record[cell], ...(cell === id && { align: "right" as const }) };
  if ("who" in cell) return { head, value: label ? (record) => whoText(cell.who(record), label) : cell.who };
  if (!("names" in cell)) return { head, ...cell };
  const { knownNames, ids, rawValue = ids } = cell;
  if (!label) return { head, value: rawValue };
  const value = (record: R) => {
    const called: Label = knownNames ? (one) => knownNames.get(one) ?? one : label(kindOf(cell, record));
    const found = ids(record);
    if (typeof found === "number") return called(found);
    return found?.map(called);
  };
  return { head, value };
}

/** Makes columns with names. Each kind is read once, and only if a table shows it. */
export async function columnsOf<R>(
  context: Context,
  stated: Columns<R>,
  { id, records, withIds = false }: ColumnOptions<R>,
): Promise<Column<R>[]> {
  const cells = Object.entries(stated).filter((entry): entry is [string, ColumnSpec<R>] => entry[1] !== undefined);
  const shown = cells.filter(([head]) => showsColumn(context, head));
  const names = await readLabels(
    context,
    shown.flatMap(([, cell]) => records.flatMap((record) => idsIn(cell, record))),
  );
  const withId =
    (name: Label): Label =>
    (id) =>
      name(id) === id ? id : `${id} (${name(id)})`;
  const label: Labels = (kind) => (withIds ? withId(names(kind)) : names(kind));
  return cells.map(([head, cell]) => columnOf(head, cell, showsColumn(context, head) ? label : undefined, id));
}

/** Makes a result of one record, with a line for each field and names after ids. */
export async function singleRecord<R extends object>(
  context: Context,
  record: R,
  { id, fields }: { id: keyof R & string; fields: Columns<R> },
): Promise<Single<R>> {
  const columns = await columnsOf(context, fields, { id, records: [record], withIds: true });
  return {
    kind: "single",
    record,
    columns,
    id: (shown) => shown[id],
  };
}
