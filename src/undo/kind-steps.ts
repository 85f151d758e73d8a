/** What takes away or brings back a thing that a run made, removed, archived or deactivated. */
import { operationNamed, statedOperation } from "../api/registry.ts";
import { subscribe } from "../api/subscriptions.ts";
import { membersOf } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { everyKind, type KindName, kindNamed } from "../model/kinds/index.ts";
import type { KindCall } from "../model/kinds/kind.ts";
import { type AnyOperation, type Membership, pathParameter } from "../wire/operation.ts";

export type StepArgs = Readonly<Record<string, unknown>>;

export interface Step {
  readonly operation: AnyOperation;
  readonly args: StepArgs;
  /** The result in words. */
  readonly says: string;
}

/** Returns the argument that identifies a thing: its id or name, which the path has. */
export const identified = (operation: AnyOperation, id: unknown): StepArgs => ({ [pathParameter(operation)]: id });

/** Makes the call about a thing from its id or name. */
const step =
  (operation: AnyOperation, says: string, args: StepArgs = {}) =>
  (id: unknown): Step => ({ operation, args: { ...args, ...identified(operation, id) }, says });

/** Makes the step of a call that the statement of a kind names. */
const stepOf = (call: KindCall, says: string) => step(statedOperation(call), says, call.args);

/** Returns what archives, deactivates or removes a thing of a kind. Undefined if nothing does. */
function takenAway(name: KindName): ((id: unknown) => Step) | undefined {
  const { archive, state, remove, log } = kindNamed(name);
  if (archive && state) return stepOf(archive, `${state.archive}d`);
  return remove && stepOf(remove, (log && "added" in log && log.removedAs) || "removed");
}

function broughtBack(name: KindName): ((id: unknown) => Step) | undefined {
  const { restore, state } = kindNamed(name);
  return restore && state && stepOf(restore, `${state.restore}d`);
}

interface Creation {
  /** As the log names it. */
  readonly kind: string;
  readonly removed: (id: unknown) => Step;
  /** The parameter that identifies a thing without an id. */
  readonly named?: string;
  /** The operation that states how the values of the thing are read, where `removed` does not. */
  readonly update?: AnyOperation | undefined;
}

/** Kinds whose things are not taken away by their ids alone: several links may have one id, and mail went out. */
const searched: ReadonlySet<KindName> = new Set(["invitation", "attachment", "export"]);

/** By operation, how a thing that it made is taken away. */
const creations: ReadonlyMap<string, Creation> = new Map(
  everyKind.flatMap(([name, { create, update, recordOf, remove }]) => {
    const removed = takenAway(name);
    if (!removed || searched.has(name)) return [];
    return create.map((creating): [string, Creation] => {
      const [, named = ""] = /\{(\w+)\}/.exec(operationNamed(remove?.operation ?? "")?.path ?? "") ?? [];
      const isNamed = Object.hasOwn(operationNamed(creating)?.params ?? {}, named);
      const isRead = update !== undefined && !remove;
      return [
        creating,
        {
          kind: (recordOf ?? name).replace("_", " "),
          removed,
          ...(isNamed && { named }),
          ...(isRead && { update: operationNamed(update) }),
        },
      ];
    });
  }),
);

/** Returns how what an entry made is taken away. Undefined if it makes nothing, or only subscribes people. */
export function creationOf({ operation, thing }: LogEntry): Creation | undefined {
  return operation === subscribe.name && thing !== undefined ? undefined : creations.get(operation);
}

/** Returns whose membership an entry changed, or may have. */
export const membershipsOf = ({ operation, at, to, thing }: LogEntry): readonly Membership[] | undefined =>
  to && thing !== undefined ? operationNamed(operation)?.memberships?.({ ...at, ...to }) : undefined;

/** Tells things that runs made apart. */
export const madeKey = (entry: LogEntry, id: unknown): string => `${creationOf(entry)?.kind} ${id}`;

/** The ids, or the name, of what an entry made. */
export const madeBy = ({ named }: Creation, { ids = [], at, to }: LogEntry): readonly unknown[] =>
  named === undefined ? ids : [{ ...at, ...to }[named]];

interface Remaking {
  readonly kind: KindName;
  readonly operation: AnyOperation;
  /** The member of the answer with the new id. */
  readonly id?: string | undefined;
}

/** By operation, what makes again what it removed. */
const removals: ReadonlyMap<string, Remaking> = new Map(
  everyKind.flatMap(
    ([
      kind,
      {
        create: [create = ""],
        remove,
      },
    ]): [string, Remaking][] => {
      const operation = operationNamed(create);
      if (!remove || remove.lost !== undefined || !operation) return [];
      const id = ["id", "ids"].find((member) => Object.hasOwn(membersOf(membersOf(operation.result).entries), member));
      return [[remove.operation, { kind, operation, id }]];
    },
  ),
);

/** Returns what makes again what an entry removed. */
export const removalOf = ({ operation }: LogEntry): Remaking | undefined => removals.get(operation);

/** By operation, the kind of what it adds, if what was removed can be added again. */
const additions: ReadonlyMap<string, KindName> = new Map(
  [...removals.values()].map(({ kind, operation }) => [operation.name, kind]),
);

/** Returns keys of what an entry added or removed. A thing that is added again has a new id, and the same key. */
export function againKeys(entry: LogEntry): string[] {
  const removed = removalOf(entry)?.kind;
  const kind = removed ?? additions.get(entry.operation);
  if (kind === undefined) return [];
  const values = { ...entry.at, ...(removed === undefined ? entry.to : entry.from) };
  const all = kind === "draft" ? [values.drafts].flat().map(membersOf) : [values];
  return all.map((each) => `again ${kind} ${JSON.stringify(kindNamed(kind).key.map((name) => each[name]))}`);
}

const removing: ReadonlySet<string> = new Set(everyKind.flatMap(([, { remove }]) => remove?.operation ?? []));

/** Returns whether an entry may have removed a thing. */
export const mayRemove = ({ operation, thing, outcome }: LogEntry, key: string): boolean =>
  thing === key && outcome !== "refused" && removing.has(operation);

/** Returns whether the path of a call has one of these parameters. */
const isAbout = (call: KindCall | undefined, at: StepArgs): boolean =>
  Object.keys(at).some((name) => operationNamed(call?.operation ?? "")?.path.includes(`{${name}}`));

/** Returns the call of its own that sets a value back. Undefined if the value is set like others. */
export function switched(name: string, from: unknown, at: StepArgs, isBot: boolean): Step | undefined {
  const [found] = everyKind.find(([, { state, archive }]) => state?.member === name && isAbout(archive, at)) ?? [];
  if (found === undefined) return undefined;
  const kind = found === "user" || found === "bot" ? (isBot ? "bot" : "user") : found;
  const wasArchived = kindNamed(kind).state?.value === from;
  return (wasArchived ? takenAway(kind) : broughtBack(kind))?.(Object.values(at)[0]);
}
