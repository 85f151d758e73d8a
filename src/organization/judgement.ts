/**
 * What is left of a plan when the organization is looked at again: by field, and in lists by element, it is as planned
 * before, or as planned afterwards already. Where it is neither, somebody else has changed it, and nothing of that thing
 * is touched.
 */
import { isNothing, same } from "./canonical.ts";
import { keyOf, type Present, presentOf, type Thing, type ThingSection, tellingOf } from "./compare/present.ts";
import type { Creation, Difference, FieldChange, Known, Removal, Reordering, Update } from "./difference.ts";
import type { Telling } from "./export/entry.ts";
import { settingTold } from "./export/settings.ts";
import { sections } from "./file.ts";
import { asItWas, wasEmptied } from "./judgement/language.ts";
import { bySize, MadeIds } from "./judgement/made-ids.ts";
import { lists, perhapsMade } from "./judgement/perhaps.ts";
import { possible } from "./judgement/possible.ts";
import { inProfile } from "./judgement/profile.ts";
import { another, conflict, idOf, type Judgement, type MadeSoFar } from "./judgement/verdict.ts";
import { isAside } from "./order/names.ts";
import type { Things } from "./sections/section.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SectionName } from "./words.ts";

class Look {
  readonly #present: Present;
  readonly #telling: Telling;
  readonly #ids = new MadeIds();
  readonly #differences: readonly Difference[];
  readonly #known: MadeSoFar;
  /** The default language that is to be put back still. */
  readonly #emptied: ReadonlyMap<number, string>;

  constructor(snapshot: Snapshot, differences: readonly Difference[], made: MadeSoFar) {
    this.#emptied = wasEmptied(snapshot, made) ? made.emptied : new Map();
    this.#telling = tellingOf(asItWas(snapshot, made));
    this.#present = presentOf(this.#telling);
    this.#differences = differences;
    this.#known = made;
  }

  all(): Judgement[] {
    // By its id one thing may be named in another, and in itself.
    for (const [n, difference] of this.#differences.entries()) {
      const id = difference.action === "create" ? this.#found(difference, n)?.id : undefined;
      if (id !== undefined) this.#ids.add(difference, id);
    }
    const judged = this.#differences.map((difference, n) => this.#judge(difference, n));
    return possible(this.#differences, judged, this.#ids).map((judgement) =>
      judgement.is === "open" ? { is: "open", left: this.#ids.identified(judgement.left) } : judgement,
    );
  }

  #judge(difference: Difference, n: number): Judgement {
    switch (difference.action) {
      case "create":
        return this.#creation(difference, n);
      case "invite":
        return this.#invitation(difference);
      case "remove":
        return this.#removal(difference, n);
      case "reorder":
        return this.#reordering(difference);
      default:
        return this.#update(difference, n);
    }
  }

  #thing(section: SectionName, id: number | undefined, name: string): Thing | undefined {
    const things = this.#present[section as ThingSection];
    if (id !== undefined) return things.find((each) => each.id === id);
    const key = keyOf(sections[section as ThingSection], () => name);
    return things.find((each) => each.key === key);
  }

  #told(section: SectionName, thing: Thing | undefined, { field, of }: FieldChange): unknown {
    if (section === "settings" || section === "new_users") return settingTold(this.#telling, section, field);
    if (field !== "profile") return thing!.tell(field);
    const id = typeof of!.field === "number" ? of!.field : this.#ids.of("profile_fields", of!.field);
    return id === undefined ? null : inProfile(this.#telling.snapshot, thing!.id!, id);
  }

  /** What of a change is still to be sent, `done`, or what is there in its stead. */
  #field(section: SectionName, thing: Thing | undefined, change: FieldChange): FieldChange | "done" | { is: unknown } {
    const { field, from, to } = change;
    const now = this.#told(section, thing, change);
    const wish = this.#ids.resolved(section, field, to);
    if (lists.has(field)) return this.#list(change, (now ?? []) as Known[], wish as Known[]);
    if (same(now, wish) || (now === undefined && isNothing(wish))) return "done";
    // What is planned of something that the plan itself has made is said from what it was made as.
    if (from === undefined || same(now ?? null, from) || isAside(section, field, thing?.id, now))
      return { ...change, from: now };
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

  /** No call edits a playground: one that was changed has another id, and all that it is to be is said of it. */
  #replaced({ section, fields }: Update): Thing | undefined {
    if (section !== "playgrounds") return undefined;
    const key = keyOf(sections.playgrounds, (attribute) => fields.find(({ field }) => field === attribute)!.to);
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
      return puts ? { is: "done" } : conflict("no longer exists");
    }
    if (thing && this.#renamed(thing, update)) return conflict(`is now named ${JSON.stringify(thing.name)}`);
    const fields: FieldChange[] = [];
    for (const change of update.fields) {
      const found = this.#field(section, thing, change);
      if (found === "done") continue;
      if ("is" in found) return another(change, found.is);
      fields.push(found);
    }
    const open = action !== "update" && thing!.away !== puts;
    if (!fields.length && !open && !this.#emptied.has(n)) return { is: "done" };
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
    const key = keyOf(stated, (attribute) => to[attribute] ?? name);
    const found = this.#present[section as ThingSection].find((each) => each.key === key);
    return found && this.#leaves(section, found, key) ? undefined : found;
  }

  /** It is to be called otherwise first, and has still the name that it is planned to give up. */
  #leaves(section: SectionName, { id }: Thing, key: string): boolean {
    const stated = sections[section as ThingSection] as Things;
    return this.#differences.some((each) => {
      if (each.section !== section || !("fields" in each) || each.id !== id) return false;
      const naming = each.fields.find(({ field }) => field === stated.key[0]);
      return naming !== undefined && keyOf(stated, () => naming.from) === key;
    });
  }

  #creation(creation: Creation, n: number): Judgement {
    const known = this.#known.made.get(n);
    const thing = this.#found(creation, n);
    if (!thing && known !== undefined) return conflict("was created, then removed");
    return thing ? this.#made(creation, n, thing) : (this.#lost(creation, n) ?? { is: "open", left: creation });
  }

  /** Of what is there and has the name that something is to be made with, or was made. */
  #made({ section, name, to }: Creation, n: number, thing: Thing): Judgement {
    const given = this.#known.given.get(n) ?? [];
    const changes = Object.entries(to).map(
      ([field, value]): FieldChange => ({
        field,
        ...(given.includes(field) && { from: value }),
        to: value,
      }),
    );
    const left = changes.flatMap((change) => {
      const found = this.#field(section, thing, change);
      return found === "done" ? [] : [{ change, found }];
    });
    const id = thing.id;
    if (!left.length) return { is: "done", ...(id !== undefined && { id }) };
    const asked = this.#known.asked.get(n);
    const ours = this.#known.made.has(n) || (asked && !left.some(({ change }) => asked.includes(change.field)));
    if (!ours) return conflict("was created by somebody else meanwhile");
    const other = left.find(({ found }) => "is" in found);
    if (other) return another(other.change, (other.found as { is: unknown }).is);
    const fields = left.map(({ change, found }) => ("field" in found ? found : change));
    return { is: "open", left: { section, name, ...(id !== undefined && { id }), action: "update", fields } };
  }

  /** A conflict where its request got no answer, and something is there that it may have made. */
  #lost(creation: Creation, n: number): Judgement | undefined {
    const { asked: all, last, made } = this.#known;
    const asked = all.get(n);
    if (!asked || !last) return undefined;
    const others = new Set<number>();
    const names = new Set<string>();
    for (const [m, each] of this.#differences.entries()) {
      if (each.section !== creation.section || each.action !== "create") continue;
      names.add(each.name);
      // What has the name of something else that is to be made may be this one, unless that was made, or seems to be.
      const thing = all.has(m) ? this.#found(each, m) : undefined;
      const id = made.get(m) ?? (thing && idOf(this.#made(each, m, thing)));
      if (id !== undefined) others.add(id);
    }
    const meant = { creation, to: this.#ids.values(creation), asked, last, others, names };
    return perhapsMade(this.#telling.snapshot, this.#present, meant);
  }

  #invitation({ to }: Creation): Judgement {
    const { invites } = this.#telling.snapshot;
    const email = String(to.email).toLowerCase();
    if (invites.some((each) => each.email?.toLowerCase() === email)) return { is: "done" };
    const joined = this.#present.people.some((person) => String(person.tell("email") ?? "").toLowerCase() === email);
    if (joined) return conflict("has joined meanwhile");
    return { is: "open", left: { section: "people", name: String(to.email), action: "invite", to } };
  }

  #removal(removal: Removal, n: number): Judgement {
    const { section, id, name, from } = removal;
    const thing = this.#thing(section, id, name);
    if (!thing) return this.#emptied.has(n) ? { is: "open", left: removal } : { is: "done" };
    const other = Object.entries(from).find(([field, value]) => !same(thing.tell(field) ?? null, value ?? null));
    if (other) return conflict(`now has another ${other[0]}`);
    return { is: "open", left: removal };
  }

  #reordering(reordering: Reordering): Judgement {
    const { section, from, to } = reordering;
    const resolve = (all: readonly Known[]) =>
      all.map((each) => (typeof each === "number" ? each : (this.#ids.of(section, each) ?? each)));
    const [before, wish] = [resolve(from), resolve(to)];
    const going = new Set(
      this.#differences.flatMap((each) => (each.section === section && each.action === "remove" ? [each.id] : [])),
    );
    const now = this.#present[section as ThingSection].map(({ id }) => id!).filter((id) => !going.has(id));
    const numbers = (all: readonly Known[]) => all.filter((each) => typeof each === "number");
    if (!same([...now].sort(bySize), [...numbers(wish)].sort(bySize))) return conflict("now has other contents");
    if (same(now, wish)) return { is: "done" };
    if (!same(now, numbers(before))) return conflict("changed meanwhile");
    return { is: "open", left: { ...reordering, from: before, to: wish } };
  }
}

export const judge = (snapshot: Snapshot, differences: readonly Difference[], made: MadeSoFar): Judgement[] =>
  new Look(snapshot, differences, made).all();
