/** The differences of one section, and what they make of its records. */
import type { Creation, Difference, FieldChange, Known, Removal, Reordering, Update } from "../difference.ts";
import type { SectionName } from "../words.ts";
import type { Ids } from "./ids.ts";
import type { Write } from "./records.ts";

export type Fields = Record<string, unknown>;

const isCreation = (one: Difference): one is Creation => one.action === "create";
const isRemoval = (one: Difference): one is Removal => one.action === "remove";
const isReordering = (one: Difference): one is Reordering => one.action === "reorder";
const isUpdate = (one: Difference): one is Update => "fields" in one;

/** What a plan says of one section. */
export class Part {
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

  written(fields: readonly FieldChange[], write: Write): Fields {
    return Object.assign({}, ...fields.map(({ field, to }) => write(field, to, this.#ids)));
  }

  made({ to }: Creation, write: Write): Fields {
    return Object.assign({}, ...Object.entries(to).map(([field, value]) => write(field, value, this.#ids)));
  }

  /** Records with ids, of a section whose things are removed and not put away. */
  records<R extends { readonly id: number }>(
    kind: "linkifiers" | "playgrounds" | "profile_fields" | "folders",
    all: readonly R[],
    fresh: Fields,
    write: Write,
  ): R[] {
    const gone = new Set(this.removed.map(({ id }) => id));
    const stay = all
      .filter(({ id }) => !gone.has(id))
      .map((record) => {
        const update = this.byId.get(record.id);
        return update ? { ...record, ...this.written(update.fields, write), ...away(update, "is_archived") } : record;
      });
    const made = this.created.map((one) => ({
      ...fresh,
      ...this.made(one, write),
      id: this.#ids.of(kind, { new: one.name }),
    }));
    const result = [...stay, ...(made as unknown as R[])];
    if (!this.order) return result;
    const byId = new Map(result.map((record) => [record.id, record]));
    return this.order.to.map((known: Known) => byId.get(this.#ids.of(kind, known))!);
  }
}

/** Whether it is put away, where an update says so. */
export const away = ({ action }: Update, member: "is_archived" | "deactivated"): Fields =>
  action === "update" ? {} : { [member]: action === "archive" || action === "deactivate" };
