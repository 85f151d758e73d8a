/** Plans how runs are taken back: compares what is there now with what the runs left. */
import { type Judgment, judge, subjectsOf } from "../effects/judge.ts";
import { everything } from "../effects/judging.ts";
import { TooOld } from "../errors.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { RequestStep } from "../organization/order.ts";
import { BadArgument } from "../wire/call.ts";
import { revoke } from "./invitations.ts";
import { type Item, left } from "./item.ts";
import { creationOf, switched } from "./kind-steps.ts";
import { membershipItems } from "./list-items.ts";
import { takeAway } from "./made-things.ts";
import { moveBack } from "./message-moves.ts";
import { inOrder, type Order, stepsOf } from "./order.ts";
import type { Part, ThingPart, ValuePart } from "./part.ts";
import { partsOf } from "./parts.ts";
import { Planning } from "./planning.ts";
import { isAboutAccount, reactivatedBy } from "./reactivated.ts";
import { overtaken, reasonOf } from "./reasons.ts";
import { Refusals } from "./refusals.ts";
import { addAgain } from "./removed-things.ts";
import { withMark } from "./shown-values.ts";
import type { State } from "./state.ts";
import { type Thing, thingKey, thingOf } from "./thing.ts";
import { takeAwayIfMade } from "./unanswered-creations.ts";
import { valueItems } from "./value-items.ts";

export class Planner {
  readonly #parts: readonly Part[];
  #isBot = (_: number): boolean => false;
  #judgment: Judgment = { effects: [], losses: [], emptied: [], lockouts: [], deletions: [], unread: [] };
  #order: Order = [];

  constructor(
    entries: readonly LogEntry[],
    private readonly state: State,
  ) {
    this.#parts = partsOf(entries, state.logged.later.between);
  }

  async #readAccounts(): Promise<void> {
    if (!this.#parts.some(isAboutAccount)) return;
    const users = await this.state.users();
    this.#isBot = (id) => users.get(id)?.is_bot === true;
  }

  #thingOf = (entry: LogEntry, made?: unknown): Thing => thingOf(entry, this.#isBot, made);

  #thingOfPart = (part: Part): Thing => this.#thingOf(part.entry, "id" in part ? part.id : undefined);

  /** Returns the keys of the things that a change was about. Call `things` first. */
  keysOf(entry: LogEntry): string[] {
    const made = creationOf(entry) ? (entry.ids ?? []) : [];
    return (made.length ? made : [undefined]).map((id) => thingKey(this.#thingOf(entry, id)));
  }

  /** Returns the things that the runs changed. */
  async things(): Promise<Thing[]> {
    await this.#readAccounts();
    return [...new Map(this.#parts.map(this.#thingOfPart).map((thing) => [thingKey(thing), thing])).values()];
  }

  /** Returns what is taken back and what is left alone, in order. What is back already is left out. `only`: things. */
  async items(only?: ReadonlySet<string>): Promise<Item[]> {
    await this.#readAccounts();
    const parts = this.#parts.filter((part) => !only || only.has(thingKey(this.#thingOfPart(part))));
    const refusals = new Refusals();
    for (;;) {
      const items = await this.#planned(parts, refusals);
      if (await refusals.find(items, this.state)) continue;
      const scheduled = await inOrder(items, this.state.present);
      this.#order = scheduled.order;
      return this.#judged(scheduled.items);
    }
  }

  async #planned(parts: readonly Part[], refusals: Refusals): Promise<Item[]> {
    const items: Item[] = [];
    const isField = (part: Part) => part.kind === "made" && creationOf(part.entry)?.kind === "profile field";
    const madeFields = new Set(this.#parts.filter(isField).map((part) => "id" in part && part.id));
    const planning = new Planning(this.state, refusals, await reactivatedBy(parts, this.state), madeFields);
    for (const group of this.#groups(parts))
      try {
        const found = (await this.#itemsOf(planning, group)).map((item) => refusals.applyTo(item, group[0].entry));
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

  async #itemsOf(planning: Planning, [first, ...more]: readonly [Part, ...Part[]]): Promise<Item[]> {
    if (first.kind === "list") return membershipItems(planning, this.#thingOf(first.entry), first);
    if (first.kind !== "value") return this.#thingItems(planning, first);
    const values = more.filter((each) => each.kind === "value");
    return valueItems(planning, this.#thingOf(first.entry), [first, ...values]);
  }

  async #thingItems(planning: Planning, part: ThingPart): Promise<Item[]> {
    const { kind, entry, id } = part;
    const thing = this.#thingOf(entry, id);
    switch (kind) {
      case "made":
        return takeAway(planning, thing, entry, id);
      case "lost":
        return takeAwayIfMade(planning, (made) => this.#thingOf(entry, made), entry);
      case "removed":
        return addAgain(planning, thing, entry);
      case "invited":
        return revoke(this.state, thing, entry);
      case "moved":
        return moveBack(this.state, thing, entry);
      case "overtaken":
        return [left(thing, entry, "conflict", overtaken(part))];
      case "impossible":
        return [left(thing, entry, "impossible", reasonOf(entry))];
    }
  }
}
