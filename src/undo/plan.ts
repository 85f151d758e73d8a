/** Plans how a run is taken back: compares what is there now with what the run left. */
import { createDrafts } from "../api/drafts.ts";
import { updateMembers } from "../api/groups.ts";
import { bareAddress, revokeInvitation } from "../api/invitations.ts";
import { addLinkifier, reorderLinkifiers } from "../api/linkifiers.ts";
import { updateMessage } from "../api/messages.ts";
import { updateChannel } from "../api/channels.ts";
import { reactivateUser } from "../api/people.ts";
import { neverCreates, subscribe, unsubscribe } from "../api/subscriptions.ts";
import { type Change, change } from "../engine/change.ts";
import { provisional } from "../engine/provisional-ids.ts";
import { differingIn, desiredOf, sameValue } from "../resolve/desired.ts";
import { BadArgument, paramOf } from "../wire/call.ts";
import { type AnyOperation, operation } from "../wire/operation.ts";
import { type Args, type ListPart, type Part, partsOf, type ThingPart, type ValuePart } from "./parts.ts";
import { reasonOf } from "./reasons.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { State } from "./state.ts";
import { creations, removals, type Step, switched } from "./things.ts";

/** A value that goes back, for people. */
export interface BackValue {
  readonly name: string;
  readonly of: NonNullable<ReturnType<typeof paramOf>>["of"];
  readonly now: unknown;
  readonly back: unknown;
}

/** What happens to a thing. Changes without `left` are sent. */
export interface Item {
  readonly target: string;
  readonly sign: "+" | "~" | "-";
  readonly says?: string | undefined;
  readonly values?: readonly BackValue[];
  readonly notes?: readonly string[];
  readonly destructive?: string | undefined;
  readonly changes: readonly Change[];
  /** Why it is left alone. */
  readonly left?: { readonly kind: "conflict" | "impossible"; readonly says: string };
}

/** The largest number of people in one request. */
const portion = 500;
const orders = new Set(["order", "ordered_linkifier_ids"]);

const numbers = (value: unknown): number[] => [value].flat().filter((each) => typeof each === "number");
const targetOf = ({ operation, target, thing }: LogEntry): string =>
  thing === undefined || thing === target || target.includes(" ") ? target : `${thing.replace(/ \S+$/, "")} ${target}` || operation;

export class Planner {
  readonly #parts: readonly Part[];
  /** The new ids of things that are made again, until they are known. */
  readonly #again = new Map<number, number>();
  /** Accounts and groups that come back. */
  readonly #returning = new Set<string>();

  constructor(
    entries: readonly LogEntry[],
    private readonly state: State,
  ) {
    this.#parts = partsOf(entries);
    for (const part of this.#parts) {
      if (part.kind !== "value") continue;
      const isBack = (part.name === "is_active" && part.from === true) || (part.name === "deactivated" && part.from === false);
      if (isBack) this.#returning.add(part.entry.thing ?? "");
      if (part.name === "is_active") for (const bot of numbers(part.entry.from?.bots)) this.#returning.add(`user ${bot}`);
    }
  }

  /** Returns what is taken back and what is left alone, in order. What is back already is left out. */
  async items(): Promise<Item[]> {
    const items: Item[] = [];
    const done = new Set<Part>();
    for (const part of this.#parts) {
      if (done.has(part)) continue;
      if (part.kind === "list") items.push(...(await this.#list(part)));
      else if (part.kind !== "value") items.push(...(await this.#thing(part)));
      else {
        const isOwn = (each: Part) => each === part || (each.kind === "value" && !this.#isSwitch(part) && !this.#isSwitch(each) && each.operation === part.operation && each.entry.thing === part.entry.thing);
        const all = this.#parts.filter((each): each is ValuePart => each.kind === "value" && isOwn(each));
        for (const each of all) done.add(each);
        items.push(...(await this.#values(all)));
      }
    }
    return items;
  }

  #isSwitch = ({ operation, name, from, entry }: ValuePart): boolean =>
    switched(operation.name, name, from, entry.at ?? {}, false) !== undefined;

  #left(entry: LogEntry, kind: "conflict" | "impossible", says: string): Item {
    const nothing = operation(entry.operation, "POST /undo");
    const target = targetOf(entry);
    return {
      target,
      sign: "~",
      left: { kind, says },
      changes: [change(nothing, {}, { target, done: "", verifyWith: "zulipctl log" })],
    };
  }

  #change(entry: LogEntry, { operation, args, says }: Omit<Step, "destructive">, more: Partial<Change> = {}): Change {
    const known = JSON.parse(JSON.stringify(args), (_, value) => value);
    return { ...change(operation, known, { target: entry.target, done: `{target}: ${says}.`, verifyWith: "zulipctl log show last" }), ...more };
  }

  /** A value of another kind than the server has now cannot be sent. */
  #sendable(entry: LogEntry, make: () => Item): Item {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof BadArgument)) throw error;
      return this.#left(entry, "impossible", error.message);
    }
  }

  async #values(parts: readonly ValuePart[]): Promise<Item[]> {
    const [first] = parts;
    if (!first) return [];
    const { operation, entry } = first;
    const at = entry.at ?? {};
    const items: Item[] = [];
    const values: BackValue[] = [];
    const args: Record<string, unknown> = {};
    for (const part of parts) {
      const { name, to } = part;
      const now = await this.state.values(operation, { ...at, [name]: to });
      if (!now) return [this.#left(entry, "conflict", "it is gone, or not visible")];
      const param = paramOf(operation, name, to);
      const current = orders.has(name) ? numbers(now[name]) : now[name];
      const from = orders.has(name) ? this.#orderBack(part.from, current) : part.from;
      const after = orders.has(name) ? numbers(to).filter((id) => numbers(current).includes(id)) : to;
      const present = orders.has(name) ? numbers(current).filter((id) => numbers(to).includes(id)) : current;
      if (part.from === undefined) {
        items.push(this.#left(entry, "impossible", `${name}: ${operation.sets ? "what was deleted with it does not come back" : "the old value is not in the log"}`));
        continue;
      }
      if (current === undefined || sameValue(param, current, from)) {
        if (current === undefined) items.push(this.#left(entry, "conflict", `${name} cannot be read`));
        continue;
      }
      if (!sameValue(param, present, after)) {
        items.push(this.#left(entry, "conflict", `${name} was changed since: it is ${JSON.stringify(current)} now`));
        continue;
      }
      const gone = param?.of === "who" ? await this.#gone(from) : [];
      if (gone.length) {
        items.push(this.#left(entry, "impossible", `${name} named ${gone.join(", ")}, which cannot be named now`));
        continue;
      }
      values.push({ name, of: param?.of, now: current, back: from });
      const expects = ![...this.#returning].some((each) => each.startsWith("user "));
      args[name] = param?.of === "who" ? { new: from, ...(expects && { old: current }) } : from;
    }
    const [value] = values;
    if (!value) return items;
    const bot = (await this.#isBot(at)) ?? operation.name.startsWith("bots.");
    const step = switched(operation.name, value.name, value.back, at, bot);
    if (step) return [...items, await this.#switch(entry, step)];
    const says = `set back: ${values.map(({ name }) => name).join(", ")}`;
    items.push(
      this.#sendable(entry, () => ({
        target: targetOf(entry),
        sign: "~",
        values,
        changes: [this.#change(entry, { operation, args: { ...at, ...args }, says })],
      })),
    );
    return items;
  }

  async #isBot({ user_id, bot_id }: Args): Promise<boolean | undefined> {
    const id = user_id ?? bot_id;
    return id === undefined ? undefined : (await this.state.accounts()).get(Number(id))?.bot;
  }

  /** Archives, deactivates and brings back, with what the server dropped. */
  async #switch(entry: LogEntry, step: Step): Promise<Item> {
    const { from = {}, at = {} } = entry;
    const changes = [this.#change(entry, step)];
    const notes: string[] = [];
    if (step.operation === updateChannel && from.is_default_stream === true) {
      notes.push("a channel for new people again");
      const args = { stream_id: at.stream_id, is_default_stream: true };
      changes.push(this.#change(entry, { operation: updateChannel, args, says: "a channel for new people" }));
    }
    if (step.operation === reactivateUser) {
      const accounts = await this.state.accounts();
      const bots = numbers(from.bots).filter((id) => accounts.get(id)?.active === false);
      for (const user_id of bots)
        changes.push({ ...this.#change(entry, { operation: reactivateUser, args: { user_id }, says: `bot ${user_id} reactivated` }) });
      if (bots.length) notes.push(`with ${bots.length === 1 ? "a bot" : `${bots.length} bots`}`);
      notes.push("invitations that were revoked, and logins, do not come back");
    }
    const sign = step.says.endsWith("archived") || step.says === "deactivated" ? "-" : "~";
    return { target: targetOf(entry), sign, says: step.says, notes, destructive: step.destructive, changes };
  }

  /** Returns the order with what is there now and with what is made again. */
  #orderBack(from: unknown, current: unknown): number[] {
    const there = numbers(current);
    const old = numbers(from).flatMap((id) => (there.includes(id) ? [id] : (this.#again.get(id) ?? [])));
    return [...old, ...there.filter((id) => !old.includes(id))];
  }

  /** Returns groups and people of a permission that cannot be named any more. */
  async #gone(value: unknown): Promise<string[]> {
    const { direct_members, direct_subgroups } = Object(value);
    const groups = await this.state.groups();
    const accounts = await this.state.accounts();
    const ids = typeof value === "number" ? [value] : numbers(direct_subgroups);
    return [
      ...ids.filter((id) => groups.get(id)?.deactivated !== false && (!groups.has(id) || groups.get(id)?.deactivated) && !this.#returning.has(`group ${id}`)).map((id) => `group ${groups.get(id)?.name ?? id}`),
      ...numbers(direct_members)
        .filter((id) => !accounts.get(id)?.active && !this.#returning.has(`user ${id}`))
        .map((id) => `user ${id}`),
    ];
  }

  async #list({ entry, of, added, removed }: ListPart): Promise<Item[]> {
    const at = entry.at ?? {};
    const isChannel = at.stream_id !== undefined;
    const members = await this.state.members(of, at);
    const accounts = of === "user" ? await this.state.accounts() : undefined;
    const isThere = (id: number) => members?.has(id) ?? added.includes(id);
    const leaving = added.filter(isThere);
    const back = removed.filter((id) => !isThere(id));
    const absent = (id: number) => accounts?.get(id)?.active === false && !this.#returning.has(`user ${id}`);
    const joining = back.filter((id) => !absent(id));
    const items = back.filter(absent).map((id) => this.#left(entry, "conflict", `user ${id} is deactivated`));
    if (!leaving.length && !joining.length) return items;
    const name = isChannel ? await this.state.channelName(at.stream_id) : undefined;
    if (isChannel && name === undefined) return [this.#left(entry, "conflict", "it is gone, or not visible")];
    const changes: Change[] = [];
    const add = (operation: AnyOperation, ids: readonly number[], args: (ids: readonly number[]) => Args, says: string) => {
      for (let n = 0; n < ids.length; n += portion)
        changes.push(this.#change(entry, { operation, args: { ...at, ...args(ids.slice(n, n + portion)) }, says }));
    };
    const suffix = of === "group" ? "_subgroups" : "";
    if (isChannel) {
      add(subscribe, joining, (principals) => ({ subscriptions: [{ name }], principals, ...neverCreates }), "subscribers back");
      add(unsubscribe, leaving, (principals) => ({ subscriptions: [name], principals }), "subscribers removed");
    } else {
      add(updateMembers, joining, (ids) => ({ [`add${suffix}`]: ids }), "members back");
      add(updateMembers, leaving, (ids) => ({ [`delete${suffix}`]: ids }), "members removed");
    }
    const what = isChannel ? "subscribers" : of === "group" ? "subgroups" : "members";
    const values: BackValue[] = [{ name: what, of, now: leaving, back: joining }];
    return [...items, { target: targetOf(entry), sign: "~", values, changes }];
  }

  async #thing({ kind, entry, id }: ThingPart): Promise<Item[]> {
    if (kind === "made") return this.#made(entry, id);
    if (kind === "removed") return this.#removed(entry);
    if (kind === "invited") return this.#invited(entry);
    if (kind === "moved") return this.#moved(entry);
    const isOpen = entry.outcome === "unknown" ? "it is unknown whether it happened" : undefined;
    return [this.#left(entry, "impossible", isOpen ?? reasonOf(entry))];
  }

  async #made(entry: LogEntry, id: unknown): Promise<Item[]> {
    const step = creations[entry.operation]?.removed(id, entry);
    if (!step) return [];
    const { operation, args, says, destructive } = step;
    const now = await this.state.values(operation, args);
    const target = creations[entry.operation]?.kind ?? "";
    const item: Item = {
      target: `${target} ${entry.target}`,
      sign: "-",
      says,
      destructive,
      changes: [this.#change(entry, step)],
    };
    if (!operation.before) return operation.previous && (!now || !Object.hasOwn(now, Object.keys(entry.to ?? {})[0] ?? "")) ? [] : this.#unlessChanged(entry, now, item);
    return !now || differingIn(operation, desiredOf({ operation, args }), now).length === 0 ? [] : [item];
  }

  /** What somebody else changed since is not removed. */
  #unlessChanged(entry: LogEntry, now: Args | undefined, item: Item): Item[] {
    const { to = {}, operation } = entry;
    const names = operation === "drafts.add" ? [] : Object.keys(to).filter((name) => now?.[name] !== undefined && now[name] !== null);
    const changed = names.filter((name) => JSON.stringify(now?.[name]) !== JSON.stringify(to[name]));
    return changed.length ? [this.#left(entry, "conflict", `${changed.join(", ")} was changed since`)] : [item];
  }

  async #removed(entry: LogEntry): Promise<Item[]> {
    const { from = {}, at = {} } = entry;
    const removal = removals[entry.operation];
    if (!removal) return [];
    const { operation, names, id } = removal;
    const all = { ...at, ...from };
    const args = Object.fromEntries(names.flatMap((name) => (all[name] === undefined || all[name] === null ? [] : [[name, all[name]]])));
    if (await this.state.isThere(operation, args)) return [];
    const old = Number(Object.values(at)[0]);
    const linkifiers = operation === addLinkifier ? await this.state.linkifierOrder() : [];
    const hasId = id !== undefined && operation !== createDrafts;
    const provisionalId = hasId ? provisional(this.#again.size + 1) : undefined;
    if (provisionalId !== undefined) this.#again.set(old, provisionalId);
    return [
      this.#sendable(entry, () => {
        const changes = [this.#change(entry, { operation, args, says: "made again" }, { ...(id && { ids: id }), ...(provisionalId !== undefined && { provisionalId }) })];
        const order = from.ordered_linkifier_ids;
        if (order && numbers(order).at(-1) !== old)
          changes.push(this.#change(entry, { operation: reorderLinkifiers, args: { ordered_linkifier_ids: this.#orderBack(order, linkifiers) }, says: "in the old order" }));
        return { target: targetOf(entry), sign: "+", says: "made again", notes: id ? ["it gets a new id"] : [], changes };
      }),
    ];
  }

  async #invited(entry: LogEntry): Promise<Item[]> {
    const addresses = String(entry.to?.invitee_emails).split(",").map(bareAddress);
    const invites = await this.state.invitations();
    const open = invites.filter(({ email, is_multiuse }) => !is_multiuse && email !== undefined && addresses.includes(bareAddress(email)));
    if (!open.length) return [];
    const changes = open.map(({ id }) => this.#change(entry, { operation: revokeInvitation, args: { invite_id: id }, says: "revoked" }));
    return [{ target: `invitation ${entry.target}`, sign: "-", says: "revoked", notes: ["the mail that went out stays"], changes }];
  }

  async #moved(entry: LogEntry): Promise<Item[]> {
    const { at = {}, from = {}, to = {} } = entry;
    const message_id = Number(at.message_id);
    const message = await this.state.message(message_id);
    if (!message) return [this.#left(entry, "conflict", "it is gone, or not visible")];
    if (message.subject === from.topic && message.stream_id === from.stream_id) return [];
    const isAsLeft = message.subject === (to.topic ?? from.topic) && message.stream_id === (to.stream_id ?? from.stream_id);
    if (!isAsLeft) return [this.#left(entry, "conflict", `it is in topic "${message.subject}" now`)];
    const args = {
      message_id,
      ...(message.subject !== from.topic && { topic: from.topic }),
      ...(message.stream_id !== from.stream_id && { stream_id: from.stream_id }),
      ...{ propagate_mode: "change_all", send_notification_to_old_thread: false, send_notification_to_new_thread: false },
    };
    return [{ target: `topic ${entry.target}`, sign: "~", says: "moved back", changes: [this.#change(entry, { operation: updateMessage, args, says: "moved back" })] }];
  }
}
