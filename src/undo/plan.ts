/** Plans how a run is taken back: compares what is there now with what the run left. */
import { updateChannel } from "../api/channels.ts";
import { updateMembers } from "../api/groups.ts";
import { updateOrganization } from "../api/organization.ts";
import { reactivateUser } from "../api/people.ts";
import { neverCreates, subscribe, unsubscribe } from "../api/subscriptions.ts";
import { numbersIn } from "../common/members.ts";
import type { Change } from "../engine/change.ts";
import type { LogEntry } from "../log/change-log.ts";
import { channelRisk, inherited } from "../model/channel.ts";
import { settingRisk } from "../model/organization.ts";
import { whoIn } from "../model/permission.ts";
import type { Effect } from "../model/setting.ts";
import { sameValue } from "../resolve/desired.ts";
import { parametersOf, paramOf } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { type BackValue, changeOf, Earlier, type Item, left, orders, sendable, targetOf } from "./item.ts";
import { invited, made, moved, removed } from "./made-again.ts";
import { type Args, type ListPart, type Part, partsOf, type ThingPart, type ValuePart } from "./parts.ts";
import { reasonOf } from "./reasons.ts";
import type { State } from "./state.ts";
import { type Step, switched } from "./things.ts";

/** The largest number of people in one request. */
const portion = 500;
/** By operation, the kind whose order it sets. Somebody may have added some since. */
const ordered: Readonly<Record<string, string>> = {
  "linkifier.reorder": "linkifier",
  "profile-field.reorder": "profile field",
  "folder.reorder": "folder",
};

export class Planner {
  readonly #parts: readonly Part[];
  readonly #earlier = new Earlier();
  /** Accounts and groups that come back. */
  readonly #returning = new Set<string>();

  constructor(
    entries: readonly LogEntry[],
    private readonly state: State,
  ) {
    this.#parts = partsOf(entries);
    for (const part of this.#parts) {
      if (part.kind !== "value") continue;
      const isBack =
        (part.name === "is_active" && part.from === true) || (part.name === "deactivated" && part.from === false);
      if (isBack) this.#returning.add(part.entry.thing ?? "");
    }
  }

  /** Returns what is taken back and what is left alone, in order. What is back already is left out. */
  async items(): Promise<Item[]> {
    const items: Item[] = [];
    for (const [first, ...more] of this.#groups()) {
      if (first.kind === "list") items.push(...(await this.#list(first)));
      else if (first.kind !== "value") items.push(...(await this.#thing(first)));
      else items.push(...(await this.#values([first, ...more.filter((each) => each.kind === "value")])));
    }
    return items;
  }

  /** Joins the values of a thing, unless something that they may need comes or goes between them. */
  #groups(): Iterable<readonly [Part, ...Part[]]> {
    const groups = new Map<string, [Part, ...Part[]]>();
    let fences = 0;
    for (const [n, part] of this.#parts.entries()) {
      const isPlain = part.kind === "value" && !this.#isSwitch(part) && part.origin === undefined;
      if (!isPlain && part.kind !== "list") fences++;
      const key = isPlain ? `${fences} ${part.operation.name} ${part.entry.thing}` : String(n);
      const group = groups.get(key);
      if (group) group.push(part);
      else groups.set(key, [part]);
    }
    return groups.values();
  }

  #isSwitch = ({ operation, name, from, entry }: ValuePart): boolean =>
    switched(operation.name, name, from, entry.at ?? {}, false) !== undefined;

  async #values(parts: readonly [ValuePart, ...ValuePart[]]): Promise<Item[]> {
    const [{ operation, entry }] = parts;
    const at = entry.at ?? {};
    const items: Item[] = [];
    const values: BackValue[] = [];
    const args: Record<string, unknown> = {};
    for (const part of parts) {
      const { name, to } = part;
      const now = await this.state.values(operation, { ...at, [name]: to });
      if (!now) return [left(entry, "conflict", "it is gone, or not visible")];
      const param = paramOf(operation, name, to);
      const kind = ordered[operation.name];
      const order = kind === undefined ? undefined : orders(kind, part.from, now[name], this.#earlier);
      if (part.origin !== undefined && now[name] === part.origin) continue;
      const planned = `${operation.name} ${entry.thing} ${name}`;
      const current = order?.present ?? this.#earlier.names.get(planned) ?? now[name];
      const from = order?.back ?? part.from;
      const after = order ? numbersIn(to).filter((id) => order.present.includes(id)) : to;
      const present = order ? order.present.filter((id) => numbersIn(to).includes(id)) : current;
      if (part.from === undefined) {
        items.push(
          left(
            entry,
            "impossible",
            `${name}: ${operation.sets ? "what was deleted with it does not come back" : "the old value is not in the log"}`,
          ),
        );
        continue;
      }
      if (current === undefined || sameValue(param, current, from)) {
        if (current === undefined) items.push(left(entry, "conflict", `${name} cannot be read`));
        continue;
      }
      if (!sameValue(param, present, after)) {
        items.push(left(entry, "conflict", `${name} was changed since: it is ${JSON.stringify(current)} now`));
        continue;
      }
      const gone = param?.of === "who" ? await this.#gone(from) : [];
      if (gone.length) {
        items.push(left(entry, "impossible", `${name} named ${gone.join(", ")}, which cannot be named now`));
        continue;
      }
      values.push({ name, of: param?.of, now: current, back: from });
      if (part.origin !== undefined) this.#earlier.names.set(planned, from);
      const expects = ![...this.#returning].some((each) => each.startsWith("user "));
      args[name] = param?.of === "who" ? { new: from, ...(expects && { old: current }) } : from;
    }
    const [value] = values;
    if (!value) return items;
    // The server would set these beside the others, or requires them.
    const implied = (operation.implies?.(args) ?? []).flatMap(({ name, avoidable }) => (avoidable ? [name] : []));
    const required = parametersOf(operation).flatMap(([name, { optional }]) => (optional ? [] : [name]));
    const now = (await this.state.values(operation, { ...at, ...args })) ?? {};
    for (const name of [...implied, ...required])
      if (!Object.hasOwn(at, name) && now[name] !== undefined) args[name] ??= now[name];
    const bot = (await this.#isBot(at)) ?? operation.name.startsWith("bots.");
    const step = switched(operation.name, value.name, value.back, at, bot);
    if (step) return [...items, await this.#switch(entry, step)];
    const says = `set back: ${values.map(({ name }) => name).join(", ")}`;
    const destructive = await this.#effects(operation, values);
    items.push(
      sendable(entry, () => ({
        target: targetOf(entry),
        sign: "~",
        values,
        destructive,
        changes: [changeOf(entry, { operation, args: { ...at, ...args }, says })],
      })),
    );
    return items;
  }

  /** Returns what is destructive about the old values of a channel or of the organization. */
  async #effects(operation: AnyOperation, values: readonly BackValue[]): Promise<Effect[]> {
    const risk =
      operation === updateChannel ? channelRisk : operation === updateOrganization ? settingRisk : () => undefined;
    const days = async (value: unknown) =>
      value === inherited ? (await this.state.values(updateOrganization, {}))?.message_retention_days : value;
    const effects = values.map(async ({ name, now, back }) => risk(name, await days(now), await days(back)) ?? []);
    return (await Promise.all(effects)).flat();
  }

  async #isBot({ user_id, bot_id }: Args): Promise<boolean | undefined> {
    const id = user_id ?? bot_id;
    return id === undefined ? undefined : (await this.state.accounts()).get(Number(id))?.bot;
  }

  /** Archives, deactivates and brings back, with what the server dropped. */
  async #switch(entry: LogEntry, step: Step): Promise<Item> {
    const { at = {} } = entry;
    const channel = step.operation === updateChannel ? await this.state.channel(at.stream_id) : undefined;
    if (channel?.invite_only && channel.subscriber_count === 0)
      return left(entry, "impossible", "servers do not unarchive a private channel without subscribers");
    const changes = [changeOf(entry, step)];
    const isPerson = step.operation === reactivateUser && !(await this.#isBot(at));
    const notes = isPerson ? ["invitations that were revoked, and logins, do not come back"] : [];
    const sign = step.says.endsWith("archived") || step.says === "deactivated" ? "-" : "~";
    return {
      target: targetOf(entry),
      sign,
      says: step.says,
      notes,
      destructive: step.destructive ? [step.destructive] : [],
      changes,
    };
  }

  /** Returns groups and people of a permission that cannot be named any more. */
  async #gone(value: unknown): Promise<string[]> {
    const { direct_members, direct_subgroups } = whoIn(value);
    const groups = await this.state.groups();
    const accounts = await this.state.accounts();
    return [
      ...direct_subgroups
        .filter((id) => (!groups.has(id) || groups.get(id)?.deactivated) && !this.#returning.has(`group ${id}`))
        .map((id) => `group ${groups.get(id)?.name ?? id}`),
      ...direct_members
        .filter((id) => !accounts.get(id)?.active && !this.#returning.has(`user ${id}`))
        .map((id) => `user ${id}`),
    ];
  }

  async #list({ entry, of, added, removed: gone }: ListPart): Promise<Item[]> {
    const at = entry.at ?? {};
    const isChannel = at.stream_id !== undefined;
    const members = await this.state.members(of, at);
    const accounts = of === "user" ? await this.state.accounts() : undefined;
    const isThere = (id: number) => members?.has(id) ?? added.includes(id);
    const leaving = added.filter(isThere);
    const back = gone.filter((id) => !isThere(id));
    const absent = (id: number) => accounts?.get(id)?.active === false && !this.#returning.has(`user ${id}`);
    const joining = back.filter((id) => !absent(id));
    // Lists have no deactivated people, so nobody can tell whether they are still in it.
    const hidden = added.filter((id) => !isThere(id) && absent(id));
    const items = [...back.filter(absent), ...hidden].map((id) => left(entry, "conflict", `user ${id} is deactivated`));
    if (!leaving.length && !joining.length) return items;
    const name = isChannel ? (await this.state.channel(at.stream_id))?.name : undefined;
    if (isChannel && name === undefined) return [left(entry, "conflict", "it is gone, or not visible")];
    const changes: Change[] = [];
    const add = (
      operation: AnyOperation,
      ids: readonly number[],
      args: (ids: readonly number[]) => Args,
      says: string,
    ) => {
      for (let n = 0; n < ids.length; n += portion)
        changes.push(changeOf(entry, { operation, args: { ...at, ...args(ids.slice(n, n + portion)) }, says }));
    };
    const suffix = of === "group" ? "_subgroups" : "";
    if (isChannel) {
      add(
        subscribe,
        joining,
        (principals) => ({ subscriptions: [{ name }], principals, ...neverCreates }),
        "subscribers back",
      );
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
    if (kind === "made") return made(this.state, entry, id, this.#earlier);
    if (kind === "removed") return removed(this.state, entry, this.#earlier);
    if (kind === "invited") return invited(this.state, entry);
    if (kind === "moved") return moved(this.state, entry);
    if (kind === "merged") return [left(entry, "impossible", "the run made one topic of it and another")];
    const isOpen = entry.outcome === "unknown" ? "it is unknown whether it happened" : undefined;
    return [left(entry, "impossible", isOpen ?? reasonOf(entry))];
  }
}
