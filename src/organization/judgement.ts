/**
 * What is left of a plan when the organization is looked at again: by field, and in lists by element, it is as planned
 * before, or as planned afterwards already. Where it is neither, somebody else has changed it, and nothing of that thing
 * is touched.
 */
import { keyOfKnown, same } from "./canonical.ts";
import { keyOf, type Present, presentOf, type Thing, type ThingSection, tellingOf } from "./compare/present.ts";
import type { Creation, Difference, FieldChange, Known, Removal, Reordering, Update } from "./difference.ts";
import type { Telling } from "./export/entry.ts";
import { settingTold } from "./export/settings.ts";
import { sections } from "./file.ts";
import { inProfile } from "./judgement/profile.ts";
import { conflict, type Judgement, type MadeSoFar } from "./judgement/verdict.ts";
import type { Things } from "./sections/section.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SectionName } from "./words.ts";

const lists = new Set(["members", "subgroups", "subscribers"]);

class Look {
  readonly #present: Present;
  readonly #telling: Telling;
  readonly #ids = new Map<string, number>();
  readonly #differences: readonly Difference[];
  readonly #known: MadeSoFar;

  constructor(snapshot: Snapshot, differences: readonly Difference[], made: MadeSoFar) {
    this.#telling = tellingOf(snapshot);
    this.#present = presentOf(this.#telling);
    this.#differences = differences;
    this.#known = made;
  }

  all(): Judgement[] {
    // By its id one thing may be named in another, and in itself.
    for (const [n, difference] of this.#differences.entries()) {
      const id = difference.action === "create" ? this.#found(difference, n)?.id : undefined;
      if (id !== undefined) this.#ids.set(`${difference.section} ${difference.name}`, id);
    }
    return this.#differences.map((difference, n) => {
      const judgement = this.#judge(difference, n);
      return judgement.is === "open" ? { is: "open", left: this.#identified(judgement.left) } : judgement;
    });
  }

  #judge(difference: Difference, n: number): Judgement {
    switch (difference.action) {
      case "create":
        return this.#creation(difference, n);
      case "invite":
        return this.#invitation(difference);
      case "remove":
        return this.#removal(difference);
      case "reorder":
        return this.#reordering(difference);
      default:
        return this.#update(difference, n);
    }
  }

  #thing(section: SectionName, id: number | undefined, name: string): Thing | undefined {
    const things = this.#present[section as ThingSection];
    return id === undefined
      ? things.find((each) => each.key === name.toLowerCase())
      : things.find((each) => each.id === id);
  }

  /** A value that was planned, with the ids of what has been made since. */
  #resolved(section: SectionName, field: string, value: unknown): unknown {
    const known = (each: unknown, of: SectionName): unknown =>
      typeof each === "object" && each !== null && "new" in each
        ? (this.#ids.get(`${of} ${keyOfKnown(each as Known)}`) ?? each)
        : each;
    if (field === "folder") return known(value, "folders");
    if (section === "settings" && !/_group$/.test(field)) return known(value, "channels");
    if (field === "subgroups") return (value as Known[]).map((each) => known(each, "groups"));
    if (section === "people" && (field === "groups" || field === "channels"))
      return (value as Known[]).map((each) => known(each, field));
    if (/_group$/.test(field) || /^can_\w+$/.test(field)) {
      const { users, groups } = value as { users?: unknown; groups?: unknown[] };
      if (!Array.isArray(groups)) return value;
      return { users, groups: byId(groups.map((each) => known(each, "groups"))) };
    }
    return value;
  }

  /** With the ids of what has been made since. */
  #identified(left: Difference): Difference {
    const { section } = left;
    const value = (field: string, to: unknown) => this.#resolved(section, field, to);
    if ("fields" in left) {
      const fields = left.fields.map((change): FieldChange => {
        const id =
          change.of && typeof change.of.field !== "number" && this.#ids.get(`profile_fields ${change.of.name}`);
        return {
          ...change,
          to: value(change.field, change.to),
          ...(change.of && typeof id === "number" && { of: { ...change.of, field: id } }),
        };
      });
      return { ...left, fields };
    }
    if (left.action !== "create" && left.action !== "invite") return left;
    return { ...left, to: Object.fromEntries(Object.entries(left.to).map(([field, to]) => [field, value(field, to)])) };
  }

  #told(section: SectionName, thing: Thing | undefined, { field, of }: FieldChange): unknown {
    if (section === "settings" || section === "new_users") return settingTold(this.#telling, section, field);
    if (field !== "profile") return thing!.tell(field);
    const id = typeof of!.field === "number" ? of!.field : this.#ids.get(`profile_fields ${of!.field.new}`);
    return id === undefined ? null : inProfile(this.#telling.snapshot, thing!.id!, id);
  }

  /** What of a change is still to be sent, `done`, or what is there in its stead. */
  #field(section: SectionName, thing: Thing | undefined, change: FieldChange): FieldChange | "done" | { is: unknown } {
    const { field, from, to } = change;
    const now = this.#told(section, thing, change);
    const wish = this.#resolved(section, field, to);
    if (lists.has(field)) return this.#list(change, (now ?? []) as Known[], wish as Known[]);
    if (same(now, wish) || (now === undefined && from === null && wish === null)) return "done";
    // What is planned of something that the plan itself has made is said from what it was made as.
    if (from === undefined || same(now ?? null, from)) return { ...change, from: now, to: wish };
    return { is: now };
  }

  #list(change: FieldChange, now: readonly Known[], wish: readonly Known[]): FieldChange | "done" {
    const has = (all: readonly Known[], one: Known) => all.some((each) => same(each, one));
    const before = (change.from ?? []) as readonly Known[];
    const come = wish.filter((each) => !has(before, each) && !has(now, each));
    const go = before.filter((each) => !has(wish, each) && has(now, each));
    if (!come.length && !go.length) return "done";
    return { ...change, from: now, to: [...now.filter((each) => !has(go, each)), ...come] };
  }

  /** No call edits a playground: one that was changed has another id. */
  #replaced({ section, fields }: Update): Thing | undefined {
    if (section !== "playgrounds") return undefined;
    const key = keyOf(sections.playgrounds, (attribute) => fields.find(({ field }) => field === attribute)?.to);
    return this.#present.playgrounds.find((each) => each.key === key);
  }

  #update(update: Update, n: number): Judgement {
    const { section, action, id, name } = update;
    const puts = action === "archive" || action === "deactivate";
    const settings = section === "settings" || section === "new_users";
    const thing = settings ? undefined : (this.#thing(section, id, name) ?? this.#replaced(update));
    if (!thing && !settings) {
      if (this.#known.gone.has(n)) return { is: "open", left: update };
      // Older servers do not show what is put away.
      return puts ? { is: "done" } : conflict("is not there any more");
    }
    if (thing && this.#renamed(thing, update)) return conflict(`is called ${JSON.stringify(thing.name)} by now`);
    const fields: FieldChange[] = [];
    for (const change of update.fields) {
      const found = this.#field(section, thing, change);
      if (found === "done") continue;
      if ("is" in found)
        return conflict(`has another ${labelOf(change)} by now: ${JSON.stringify(found.is) ?? "none"}`);
      fields.push(found);
    }
    const open = action !== "update" && thing!.away !== puts;
    if (!fields.length && !open) return { is: "done" };
    return { is: "open", left: { ...update, action: open ? action : "update", fields } };
  }

  /** Whether the name by which a file means a thing was changed, where the plan leaves it as it is. People are who they are. */
  #renamed(thing: Thing, { section, name, fields }: Update): boolean {
    const { key } = sections[section as ThingSection];
    if (section === "people" || key.length > 1 || fields.some(({ field }) => field === key[0])) return false;
    return keyOf(sections[section as ThingSection], () => name) !== thing.key;
  }

  /** What has the name that something is to be made with, or is what was made. */
  #found({ section, name, to }: Creation, n: number): Thing | undefined {
    const stated = sections[section as ThingSection] as Things;
    const known = this.#known.made.get(n);
    if (known !== undefined) return this.#thing(section, known, name);
    const key = keyOf(stated, (attribute) => to[attribute] ?? (attribute === stated.key[0] ? name : undefined));
    return this.#present[section as ThingSection].find((each) => each.key === key);
  }

  #creation(creation: Creation, n: number): Judgement {
    const { section, name, to } = creation;
    const known = this.#known.made.get(n);
    const thing = this.#found(creation, n);
    if (!thing) return known === undefined ? { is: "open", left: creation } : conflict("was made, and is gone again");
    const changes = Object.entries(to).map(([field, value]): FieldChange => ({ field, to: value }));
    const left = changes.flatMap((change) => {
      const found = this.#field(section, thing, change);
      return found === "done" ? [] : [{ change, found }];
    });
    const id = thing.id;
    if (!left.length) return { is: "done", ...(id !== undefined && { id }) };
    const asked = this.#known.asked.get(n);
    const ours = known !== undefined || (asked && !left.some(({ change }) => asked.includes(change.field)));
    if (!ours) return conflict("was made by somebody else meanwhile");
    const fields = left.map(({ change, found }) => ("field" in found ? found : change));
    return { is: "open", left: { section, name, ...(id !== undefined && { id }), action: "update", fields } };
  }

  #invitation({ to }: Creation): Judgement {
    const { invites } = this.#telling.snapshot;
    const email = String(to.email).toLowerCase();
    if (invites.some((each) => each.email?.toLowerCase() === email)) return { is: "done" };
    const joined = this.#present.people.some((person) => String(person.tell("email") ?? "").toLowerCase() === email);
    if (joined) return conflict("has joined meanwhile");
    return { is: "open", left: { section: "people", name: String(to.email), action: "invite", to } };
  }

  #removal(removal: Removal): Judgement {
    const { section, id, name, from } = removal;
    const thing = this.#thing(section, id, name);
    if (!thing) return { is: "done" };
    const other = Object.entries(from).find(
      ([field, value]) => !same(thing.tell(field) ?? null, this.#resolved(section, field, value) ?? null),
    );
    if (other) return conflict(`has another ${other[0]} by now`);
    return { is: "open", left: removal };
  }

  #reordering(reordering: Reordering): Judgement {
    const { section, from, to } = reordering;
    const resolve = (all: readonly Known[]) =>
      all.map((each) => (typeof each === "number" ? each : (this.#ids.get(`${section} ${each.new}`) ?? each)));
    const [before, wish] = [resolve(from), resolve(to)];
    const going = new Set(
      this.#differences.flatMap((each) => (each.section === section && each.action === "remove" ? [each.id] : [])),
    );
    const now = this.#present[section as ThingSection].map(({ id }) => id!).filter((id) => !going.has(id));
    const numbers = (all: readonly Known[]) => all.filter((each) => typeof each === "number");
    if (!same([...now].sort(bySize), [...numbers(wish)].sort(bySize))) return conflict("has other things in it by now");
    if (same(now, wish)) return { is: "done" };
    const order = numbers(before).filter((id) => now.includes(id));
    if (!same(now, order)) return conflict("is another by now");
    return { is: "open", left: { ...reordering, from: before, to: wish } };
  }
}

const bySize = (a: number, b: number): number => a - b;

const byId = (all: readonly unknown[]): unknown[] => [
  ...all.filter((each) => typeof each === "number").sort(bySize),
  ...all.filter((each) => typeof each !== "number"),
];

const labelOf = ({ field, of }: FieldChange): string => (of ? `${field} ${of.name}` : field);

export const judge = (snapshot: Snapshot, differences: readonly Difference[], made: MadeSoFar): Judgement[] =>
  new Look(snapshot, differences, made).all();
