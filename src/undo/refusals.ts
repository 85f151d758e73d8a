/** Finds what servers would refuse of a plan, before anything is sent. */
import { deactivateGroup, updateMembers } from "../api/groups.ts";
import { joinFirst } from "../common/counted.ts";
import { numbersIn } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { listNamed } from "../model/kinds/lists.ts";
import { usesIn } from "../organization/compare/whole-lists.ts";
import { groupMembershipIn } from "../organization/group-members.ts";
import { applyTo, predict } from "../organization/prediction.ts";
import { takenNames } from "../organization/taken-names.ts";
import { cyclicGroups, privacyFields, refusedChannels } from "../organization/unsupported.ts";
import { lastingDenials } from "../permissions/account-rights.ts";
import { isGrantedByRole, type Need, needsOf, type Situation } from "../permissions/needs.ts";
import { situationOf } from "../permissions/situation.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { accessDifferences, concernsAccess, sectionOf } from "./access.ts";
import { type Item, type Left, left } from "./item.ts";
import type { State } from "./state.ts";
import { type Thing, thingKey } from "./thing.ts";

/** Values that servers check together: those of privacy, and the setting that names a private channel. */
const checkedTogether: ReadonlySet<string> = new Set([...privacyFields, "moderation_request_channel_id"]);

/** A change of an item that would be refused. `param`: for this argument alone. */
interface RefusableRequest {
  readonly item: Thing;
  readonly operation: AnyOperation;
  readonly param?: string | undefined;
}

const keyOf = ({ item, operation, param = "" }: RefusableRequest): string =>
  `${thingKey(item)} ${operation.name} ${param}`;

interface Required extends RefusableRequest {
  readonly need: Need;
}

/** The refusals of a plan. They grow: without what is refused, other changes may lack a right or a name. */
export class Refusals {
  readonly #found = new Map<string, Left>();

  of(item: Thing, operation: AnyOperation, param?: string): Left | undefined {
    return this.#found.get(keyOf({ item, operation, param }));
  }

  #ofItem(item: Item): Left | undefined {
    const found = item.changes.flatMap(({ operation, args }) =>
      [undefined, ...Object.keys(args)].flatMap((param) => this.of(item, operation, param) ?? []),
    );
    return found[0];
  }

  /** Returns the item, or why it is left alone. */
  applyTo(item: Item, entry: LogEntry): Item {
    const found = item.left ? undefined : this.#ofItem(item);
    return found ? left(item, entry, found.kind, found.says) : item;
  }

  /** Looks for refusals. Returns whether there are new ones: then the plan must be made again. */
  async find(items: readonly Item[], state: State): Promise<boolean> {
    const known = this.#found.size;
    const sent = items.filter((item) => !item.left);
    await this.#findDenied(sent, state);
    await this.#findUnsupported(sent, state);
    const itemOf = new Map(sent.flatMap((item) => item.changes.map((change) => [change, item])));
    for (const { change, param, says } of await takenNames([...itemOf.keys()], state.present)) {
      const item = itemOf.get(change);
      if (item) this.#add({ item, operation: change.operation, param }, { kind: "conflict", says });
    }
    await this.#findUsed(sent, state);
    return this.#found.size > known;
  }

  async #findDenied(items: readonly Item[], state: State): Promise<void> {
    const { me, role, situation } = await callerSituation(items, state);
    const all = items.flatMap((item) => requiredBy(item, situation));
    const open = all.filter(({ need }) => !isGrantedByRole(need, role));
    const snapshot = open.length ? await state.snapshot() : undefined;
    if (!snapshot || snapshot.organization.user_id !== me) return;
    const without = (denied: readonly Required[]) =>
      applyTo(snapshot, accessDifferences(snapshot, remaining(items, denied)));
    for (const { says, ...request } of lastingDenials(open, snapshot, without))
      this.#add(request, { kind: "impossible", says });
  }

  /** Finds groups that something names when the rest of the plan is done: servers do not deactivate them. */
  async #findUsed(items: readonly Item[], state: State): Promise<void> {
    const leaving = items.filter(({ changes }) => changes.some(({ operation }) => operation === deactivateGroup));
    const snapshot = leaving.length ? await state.snapshot() : undefined;
    if (!snapshot) return;
    const uses = usesIn(applyTo(snapshot, accessDifferences(snapshot, items)));
    for (const item of leaving) {
      const by = (uses.get(`groups ${item.id}`) ?? []).map((use) => use.by);
      const says = `it is still used by ${joinFirst(by)}`;
      if (by.length) this.#add({ item, operation: deactivateGroup }, { kind: "conflict", says });
    }
  }

  /** Finds values that do not go together, as `org plan` does: a default channel cannot be private. */
  async #findUnsupported(items: readonly Item[], state: State): Promise<void> {
    const concerned = items.filter((item) => concernsAccess(item));
    const nesting = concerned.filter(addsGroups);
    const snapshot = nesting.length || concerned.some(setsChecked) ? await state.snapshot() : undefined;
    if (!snapshot) return;
    const prediction = predict(groupMembershipIn(snapshot), accessDifferences(snapshot, concerned));
    for (const { section, name, field, says } of refusedChannels(prediction))
      for (const item of concerned.filter((item) => item.name === name && sectionOf(item) === section))
        for (const { operation } of item.changes)
          for (const param of paramsAt(item, field))
            this.#add({ item, operation, param }, { kind: "impossible", says });
    if (!nesting.length) return;
    const cycles = new Map(cyclicGroups(prediction.after.snapshot).map(({ name, says }) => [name, says]));
    const groups = await state.groups();
    for (const item of nesting) {
      const says = cycles.get(groups.get(item.id ?? 0)?.name ?? "");
      const request = { item, operation: updateMembers, param: subgroups.add.members };
      if (says !== undefined) this.#add(request, { kind: "conflict", says });
    }
  }

  /** Of several reasons, the first one is named: servers check in this order. */
  #add(request: RefusableRequest, refusal: Left): void {
    const key = keyOf(request);
    if (!this.#found.has(key)) this.#found.set(key, refusal);
  }
}

const setsChecked = ({ values = [] }: Item): boolean => values.some(({ param = "" }) => checkedTogether.has(param));

const subgroups = listNamed("group subgroups");

/** Somebody may have put the group into one of its old subgroups since. */
const addsGroups = ({ kind, values = [] }: Item): boolean =>
  kind === subgroups.kind && values.some(({ name, back }) => name === subgroups.plural && numbersIn(back).length > 0);

/** Returns the values that are refused because of a field: those of the field, or all that are checked together. */
function paramsAt({ values = [] }: Item, field: string | undefined): string[] {
  const params = values.flatMap(({ param }) => param ?? []);
  return params.includes(field ?? "") ? [field ?? ""] : params.filter((param) => checkedTogether.has(param));
}

/** Returns what the account is, and a reader of what its needs depend on. */
async function callerSituation(items: readonly Item[], state: State) {
  const isAboutPeople = items.some(({ changes }) =>
    changes.some(({ args }) => ["user_id", "bot_id", "principals"].some((name) => Object.hasOwn(args, name))),
  );
  const [{ user_id: me, role }, level, users] = await Promise.all([
    state.present.ownAccount(),
    state.level(),
    isAboutPeople ? state.users() : undefined,
  ]);
  return { me, role, situation: situationOf({ me, level }, users ?? new Map()) };
}

const requiredBy = (item: Item, situation: Situation): Required[] =>
  item.changes.flatMap(({ operation, args }) =>
    [...(item.needs ?? []), ...needsOf({ operation, args }, situation)].map((need) => ({
      ...{ item, operation, need },
      ...(need.param !== undefined && { param: need.param }),
    })),
  );

/** Returns the items without what is refused. */
function remaining(items: readonly Item[], denied: readonly Required[]): Item[] {
  const keys = new Set(denied.map(keyOf));
  return items.flatMap((item) => {
    const isDenied = (param?: string) =>
      item.changes.some(({ operation }) => keys.has(keyOf({ item, operation, param })));
    const values = item.values?.filter(({ param }) => param === undefined || !isDenied(param));
    const isOther = item.changes.some(({ args }) =>
      Object.keys(args).some((param) => isDenied(param) && !item.values?.some((value) => value.param === param)),
    );
    return isDenied() || isOther || (item.values?.length && !values?.length)
      ? []
      : [{ ...item, ...(values && { values }) }];
  });
}
