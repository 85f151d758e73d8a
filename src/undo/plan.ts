/** Plans how a run is taken back: compares what is there now with what the run left. */
import { updateOrganization } from "../api/organization.ts";
import { updateDefaults } from "../api/user-settings.ts";
import { membersOf, numbersIn, valueNamed } from "../common/object-members.ts";
import { type Judgment, judge, subjectsOf } from "../effects/judge.ts";
import { everything } from "../effects/judging.ts";
import { TooOld } from "../errors.ts";
import type { LogEntry } from "../log/change-log.ts";
import { fieldLabel } from "../model/field.ts";
import { whoIn } from "../model/permission.ts";
import { hasMasked, maskUrlsIn } from "../notation/url-secrets.ts";
import type { RequestStep } from "../organization/order.ts";
import { joinValues, sameValue } from "../resolve/desired.ts";
import { BadArgument, fieldOf, parametersOf, paramOf } from "../wire/call.ts";
import { invited } from "./invited.ts";
import { type BackValue, changeOf, Earlier, type Item, left, orders, type Thing, thingKey, thingOf } from "./item.ts";
import { membershipItems } from "./lists.ts";
import { lost } from "./lost.ts";
import { moved } from "./moved.ts";
import { inOrder, isTemporaryName, type Order, stepsOf } from "./order.ts";
import type { Part, ThingPart, ValuePart } from "./part.ts";
import { partsOf } from "./parts.ts";
import { deletedForGood, gone, madeOne, noOldValue, overtaken, reasonOf } from "./reasons.ts";
import { made, removed } from "./recreate.ts";
import { Refusals } from "./refusals.ts";
import { isAboutAccount, returningWith } from "./returning.ts";
import { optionNotes, shown, withMark } from "./shown.ts";
import type { State } from "./state.ts";
import { switchItem } from "./switch.ts";
import { creationOf, type StepArgs, switched } from "./things.ts";
import { ordered, signIn } from "./values.ts";

export class Planner {
  readonly #parts: readonly Part[];
  #earlier = new Earlier();
  #refusals = new Refusals();
  #isBot = (_: number): boolean => false;
  /** The ids of profile fields that the runs made. */
  readonly #madeFields = new Set<unknown>();
  #judgment: Judgment = { effects: [], losses: [], emptied: [], lockouts: [], deletions: [], unread: [] };
  #order: Order = [];
  /** Accounts and groups that come back. */
  #returning: ReadonlySet<string> = new Set();

  constructor(
    entries: readonly LogEntry[],
    private readonly state: State,
  ) {
    this.#parts = partsOf(entries, state.logged.later.between);
    for (const part of this.#parts)
      if (part.kind === "made" && creationOf(part.entry)?.kind === "profile field") this.#madeFields.add(part.id);
  }

  async #readAccounts(): Promise<void> {
    if (!this.#parts.some(isAboutAccount)) return;
    const users = await this.state.users();
    this.#isBot = (id) => users.get(id)?.is_bot === true;
  }

  /** Returns the keys of the things that a change was about. Call `things` first. */
  keysOf(entry: LogEntry): string[] {
    const made = creationOf(entry) ? (entry.ids ?? []) : [];
    return (made.length ? made : [undefined]).map((id) => thingKey(this.#thingOf(entry, id)));
  }

  /** Returns the things that the runs changed. */
  async things(): Promise<Thing[]> {
    await this.#readAccounts();
    const all = this.#parts.map((part) => this.#thingOf(part.entry, "id" in part ? part.id : undefined));
    return [...new Map(all.map((thing) => [thingKey(thing), thing])).values()];
  }

  /** Returns what is taken back and what is left alone, in order. What is back already is left out. `only`: things. */
  async items(only?: ReadonlySet<string>): Promise<Item[]> {
    await this.#readAccounts();
    this.#refusals = new Refusals();
    for (;;) {
      const items = await this.#planned(only);
      if (await this.#refusals.find(items, this.state)) continue;
      const scheduled = await inOrder(items, this.state.present);
      this.#order = scheduled.order;
      return this.#judged(scheduled.items);
    }
  }

  async #planned(only?: ReadonlySet<string>): Promise<Item[]> {
    const items: Item[] = [];
    this.#earlier = new Earlier();
    const isChosen = (part: Part) =>
      !only || only.has(thingKey(this.#thingOf(part.entry, "id" in part ? part.id : undefined)));
    const parts = this.#parts.filter(isChosen);
    this.#returning = await returningWith(parts, this.state);
    for (const group of this.#groups(parts))
      try {
        const found = (await this.#itemsOf(group)).map((item) => this.#refusals.applyTo(item, group[0].entry));
        for (const { left, changes } of found) if (!left) for (const change of changes) await this.state.check(change);
        items.push(...found.map((item) => withMark(item, group)));
      } catch (error) {
        // The server has another kind of value now, or the log does, or the server is too old.
        if (!(error instanceof BadArgument || error instanceof TooOld)) throw error;
        const [{ entry }] = group;
        items.push(left(this.#thingOf(entry), entry, "impossible", error.message));
      }
    return items;
  }

  /** Returns the items with what they do to people and content, judged together. */
  async #judged(items: readonly Item[]): Promise<Item[]> {
    const sent = items.flatMap((item, at) =>
      item.left ? [] : subjectsOf(item.changes).map((one) => ({ ...one, at })),
    );
    const subjects = sent.map(({ subject }) => subject);
    this.#judgment = await judge(subjects, this.state.present, everything);
    const judged = [...items];
    for (const [n, { at, part, change }] of sent.entries()) {
      const effects = this.#judgment.effects[n] ?? [];
      const item = judged[at];
      if (!item || !effects.length) continue;
      const changes = item.changes.with(part, { ...change, judged: effects });
      judged[at] = { ...item, changes, effects: [...(item.effects ?? []), ...effects] };
    }
    return judged;
  }

  /** Returns the requests of the last items. */
  stepsOf(items: readonly Item[]): RequestStep[] {
    return stepsOf(items, this.#order);
  }

  /** What the last items do. */
  get judgment(): Judgment {
    return this.#judgment;
  }

  async #itemsOf([first, ...more]: readonly [Part, ...Part[]]): Promise<Item[]> {
    if (first.kind === "list") {
      const options = { returning: this.#returning, refusals: this.#refusals };
      return membershipItems(this.state, this.#thingOf(first.entry), first, options);
    }
    if (first.kind !== "value") return this.#part(first);
    return this.#values([first, ...more.filter((each) => each.kind === "value")]);
  }

  #thingOf = (entry: LogEntry, made?: unknown): Thing => thingOf(entry, this.#isBot, made);

  /** Joins the values of a thing, unless something that they may need comes or goes between them. */
  #groups(parts: readonly Part[]): Iterable<readonly [Part, ...Part[]]> {
    const groups = new Map<string, [Part, ...Part[]]>();
    let fences = 0;
    for (const [n, part] of parts.entries()) {
      const isPlain = part.kind === "value" && !this.#isSwitch(part);
      if (!isPlain && part.kind !== "list" && part.kind !== "overtaken") fences++;
      const key = isPlain ? `${fences} ${part.operation.name} ${part.entry.thing}` : String(n);
      const group = groups.get(key);
      if (group) group.push(part);
      else groups.set(key, [part]);
    }
    return groups.values();
  }

  #isSwitch = ({ name, from, entry }: ValuePart): boolean => switched(name, from, entry.at ?? {}, false) !== undefined;

  async #values(parts: readonly [ValuePart, ...ValuePart[]]): Promise<Item[]> {
    const [{ operation, entry }] = parts;
    const thing = this.#thingOf(entry);
    const at = entry.at ?? {};
    const items: Item[] = [];
    const values: BackValue[] = [];
    const inWords: BackValue[] = [];
    const args: Record<string, unknown> = {};
    for (const part of parts) {
      const now = await this.state.values(operation, { ...at, [part.name]: part.to });
      if (!now) return [left(thing, entry, "conflict", gone)];
      const compared = await this.#compare(thing, part, valueNamed(now, part.name));
      if (!compared) continue;
      if ("sign" in compared) items.push(compared);
      else {
        values.push(compared.value);
        inWords.push({ ...(await this.#shown(part, compared.value)), param: part.name });
        args[part.name] = await this.#joined(part, at, args[part.name], compared.sent);
      }
    }
    const [value] = values;
    if (!value) return items;
    const step = switched(value.name, value.back, at, thing.kind === "bot");
    if (step) return [...items, await switchItem(this.state, { thing, entry, step }, this.#earlier)];
    // The server would set these beside the others, or requires them.
    const implied = (operation.implies?.(args) ?? []).flatMap(({ name, avoidable }) => (avoidable ? [name] : []));
    const required = parametersOf(operation).flatMap(([name, { optional }]) => (optional ? [] : [name]));
    const now = (await this.state.values(operation, { ...at, ...args })) ?? {};
    for (const name of [...implied, ...required])
      if (!Object.hasOwn(at, name) && now[name] !== undefined) args[name] ??= now[name];
    const names = inWords.map(({ name }) => fieldLabel(name)).join(", ");
    const update = { operation, args: { ...at, ...args }, says: "updated", what: names };
    const isSettings = operation === updateOrganization || operation === updateDefaults;
    if (operation === updateOrganization) for (const { name, back } of values) this.#earlier.settings.set(name, back);
    const more = isSettings ? { target: names } : {};
    const changes = [changeOf(thing, update, more)];
    const notes = values.flatMap(optionNotes);
    return [...items, { ...thing, sign: "~", values: inWords, notes, changes }];
  }

  /** Returns the value of a parameter that has several, or one. */
  async #joined({ operation, name }: ValuePart, at: StepArgs, earlier: unknown, sent: unknown): Promise<unknown> {
    if (name !== signIn) return joinValues(earlier, sent);
    // Servers refuse a request that switches nothing on.
    const now = (await this.state.values(operation, at))?.[name];
    return { ...membersOf(earlier ?? now), ...membersOf(sent) };
  }

  #shown = ({ operation }: ValuePart, value: BackValue): Promise<BackValue> =>
    shown(this.state, this.#earlier, value, ordered.get(operation));

  /** Returns what goes back, or an item that says why it does not. Undefined if the value is back. */
  async #compare(thing: Thing, part: ValuePart, read: unknown) {
    const { operation, name, to, entry } = part;
    const kind = ordered.get(operation);
    const order = kind === undefined ? undefined : orders(kind, part.from, read, this.#earlier);
    const now = order?.present ?? (await this.state.sendable(name, read));
    const back = order?.back ?? (await this.state.sendable(name, part.from));
    const param = paramOf(operation, name, to);
    const value: BackValue = { ...fieldOf(operation, name, to), now: maskUrlsIn(now), back };
    const stays = async (kind: "conflict" | "impossible", says: string, isOther = false): Promise<Item> => {
      const words = await this.#shown(part, value);
      return left(thing, entry, kind, `${fieldLabel(words.name)}${says}`, isOther ? words : undefined);
    };
    // Its values go with a field that the run made.
    if (name === "profile_data" && this.#madeFields.has(membersOf([to].flat()[0]).id)) return undefined;
    if (part.from === undefined) {
      if (!operation.sets || entry.outcome !== "done") return stays("impossible", `: ${noOldValue}`);
      const isDeleted = await this.state.isDeleted(thing.id);
      return isDeleted ? undefined : left(thing, entry, "impossible", deletedForGood);
    }
    if (now === undefined) return stays("conflict", " cannot be read");
    // Values of the log have no secrets in their URLs.
    const seen = maskUrlsIn(now);
    if (sameValue(param, seen, back)) return undefined;
    // An undo that was killed has left its temporary name.
    const isTemporary = isTemporaryName(now, thing.id);
    const since = isTemporary ? undefined : this.state.logged.later.of(part.key);
    if (since?.run !== undefined) return stays("conflict", ` was changed by run ${since.run} since`, true);
    // An undo of some of these runs has left what another one of them had set.
    const isNow = (value: unknown) => sameValue(param, seen, value);
    const isBetween = since?.isBack === true && isNow(since.left) && part.all.some(isNow);
    if (since?.isBack && !isBetween) return stays("conflict", " was taken back already, and changed since", true);
    // Somebody may have added some, or removed some.
    const common = (ids: unknown, others: unknown) => numbersIn(ids).filter((id) => numbersIn(others).includes(id));
    if (
      !isTemporary &&
      !isBetween &&
      !part.ends.some((to) => sameValue(param, order ? common(now, to) : seen, order ? common(to, now) : to))
    )
      return stays("conflict", " was changed since", true);
    if (hasMasked(back)) return stays("impossible", ": the old value has a secret, which the log does not keep");
    const isWho = param?.of === "who";
    const missing = isWho ? await this.#gone(back) : [];
    if (missing.length) return stays("impossible", ` named ${missing.join(", ")}, which cannot be named now`);
    const refusal = this.#refusals.of(thing, operation, name);
    if (refusal) return stays(refusal.kind, `: ${refusal.says}`);
    const expects = ![...this.#returning].some((each) => each.startsWith("user "));
    return { value, sent: isWho ? { new: back, ...(expects && { old: now }) } : back };
  }

  /** Returns groups and people of a permission that cannot be named any more. */
  async #gone(value: unknown): Promise<string[]> {
    const { direct_members, direct_subgroups } = whoIn(value);
    const groups = await this.state.groups();
    const users = await this.state.users();
    return [
      ...direct_subgroups
        .filter((id) => (!groups.has(id) || groups.get(id)?.deactivated) && !this.#returning.has(`group ${id}`))
        .map((id) => `group ${groups.get(id)?.name ?? id}`),
      ...direct_members
        .filter((id) => (users.get(id)?.is_active ?? users.has(id)) === false && !this.#returning.has(`user ${id}`))
        .map((id) => users.get(id)?.full_name ?? `user ${id}`),
    ];
  }

  async #part(part: ThingPart): Promise<Item[]> {
    const { kind, entry, id } = part;
    const thing = this.#thingOf(entry, id);
    if (kind === "made")
      return made(this.state, thing, entry, { id, earlier: this.#earlier, refusals: this.#refusals });
    if (kind === "lost") {
      const options = { earlier: this.#earlier, refusals: this.#refusals };
      return lost(this.state, (made) => this.#thingOf(entry, made), entry, options);
    }
    if (kind === "removed") return removed(this.state, thing, entry, this.#earlier);
    if (kind === "invited") return invited(this.state, thing, entry);
    if (kind === "moved") return moved(this.state, thing, entry);
    if (kind === "overtaken") return [left(thing, entry, "conflict", overtaken(part))];
    if (kind === "merged") return [left(thing, entry, "impossible", madeOne)];
    return [left(thing, entry, "impossible", reasonOf(entry))];
  }
}
