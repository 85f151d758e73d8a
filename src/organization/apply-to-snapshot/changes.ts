/** The differences of one section, and what they make of its records. */
import type { Creation, Difference, FieldChange, Removal, Reordering, Update } from "../difference.ts";
import type { Entry, Things, Write } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SectionName, ThingSection } from "../words.ts";
import type { Ids } from "./ids.ts";

const isCreation = (one: Difference): one is Creation => one.action === "create";
const isRemoval = (one: Difference): one is Removal => one.action === "remove";
const isReordering = (one: Difference): one is Reordering => one.action === "reorder";
const isUpdate = (one: Difference): one is Update => "fields" in one;

const sameName: Write = (field, value) => ({ [field]: value });

export class SectionChanges {
  readonly created: readonly Creation[];
  readonly removed: readonly Removal[];
  readonly updates: readonly Update[];
  readonly byId: ReadonlyMap<number | undefined, Update>;
  readonly order: Reordering | undefined;
  readonly #ids: Ids;

  constructor(section: SectionName, differences: readonly Difference[], ids: Ids) {
    const mine = differences.filter((one) => one.section === section && !one.prune);
    this.created = mine.filter(isCreation);
    this.removed = mine.filter(isRemoval);
    this.updates = mine.filter(isUpdate);
    this.byId = new Map(this.updates.map((update) => [update.id, update]));
    this.order = mine.find(isReordering);
    this.#ids = ids;
  }

  /** The members of a record that changes make. */
  written(fields: readonly FieldChange[], { write = sameName }: Pick<Things, "write">): Entry {
    return Object.assign({}, ...fields.map(({ field, to }) => write(field, to, this.#ids)));
  }

  /** The record of something new. */
  made({ to }: Creation, section: Things): Entry {
    const fields = Object.entries(to).map(([field, value]) => ({ field, to: value }));
    return { ...section.fresh, ...this.written(fields, section) };
  }

  /** The snapshot with the section's records as they will be. */
  applyTo(snapshot: Snapshot, name: ThingSection, section: Things): Snapshot {
    if (!section.put) return snapshot;
    const gone = new Set(this.removed.map(({ id, name: removed }) => id ?? removed));
    const byName = new Map(this.updates.map((update) => [update.name, update]));
    const nameOf = (record: object): string => String(Reflect.get(record, section.key[0] ?? ""));
    const stay = section
      .records(snapshot)
      .filter((record) => !gone.has(section.id(record) ?? nameOf(record)))
      .map((record) => {
        const id = section.id(record);
        const update = id === undefined ? byName.get(nameOf(record)) : this.byId.get(id);
        return update
          ? { ...record, ...this.written(update.fields, section), ...archived(update, "is_archived") }
          : record;
      });
    const hasIds = Object.hasOwn(section.members, "id") || section.recreated === true;
    const made = this.created.map((one) => ({
      ...this.made(one, section),
      ...(hasIds && { id: this.#ids.of(name, { new: one.name }) }),
    }));
    const all = [...stay, ...made];
    if (!this.order) return section.put(snapshot, all);
    const byId = new Map(all.map((record) => [section.id(record), record]));
    return section.put(
      snapshot,
      this.order.to.flatMap((known) => byId.get(this.#ids.of(name, known)) ?? []),
    );
  }
}

/** Whether it is archived or deactivated, where an update says so. */
export const archived = ({ action }: Update, member: "is_archived" | "deactivated"): Entry =>
  action === "update" ? {} : { [member]: action === "archive" || action === "deactivate" };
