/** Sections whose things are added and removed, and cannot be edited. */
import type { KindName } from "../../model/kinds/index.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Values } from "../difference.ts";
import { phases } from "../order/phases.ts";
import { type Member, nonEmpty } from "../shape.ts";
import { addBase, type Draft, nameIsFree, type RequestContext, removeBase, valuesOf } from "./requests.ts";
import { attributesOf, type Entry, idOf, ofKind, type Things } from "./section.ts";

interface ListSection {
  readonly doc: string;
  readonly add: AnyOperation;
  readonly remove: AnyOperation;
  /** What is stated of attributes beyond their parameters. */
  readonly more?: Readonly<Record<string, Partial<Member>>>;
  readonly requiredToCreate?: string;
  /** The requests that set again what servers change beside the removal of a record. They need that it is gone. */
  readonly restored?: (
    context: RequestContext,
    record: Entry | undefined,
  ) => readonly Pick<Draft, "operation" | "args" | "result">[];
}

/** Makes the section of a kind whose things have ids. A changed thing is removed and added again. */
export function listSection<R extends Entry>(name: KindName, section: ListSection): Things<R> {
  const { doc, add, remove, more = {}, requiredToCreate, restored } = section;
  const stated = ofKind<R>(name);
  const { plural, key, fold = String } = stated;
  const keyIsFree = (values: Entry | Values) =>
    nameIsFree(plural, key.map((member) => fold(String(values[member]))).join("\n"));
  const removals = (context: RequestContext, id: number | undefined, phase: number): Draft[] => {
    const current = stated.records(context.snapshot).find((each) => idOf(stated, each) === id);
    const isGone = `${stated.one} ${id} is gone`;
    const [, parameter = ""] = /\{(\w+)\}/.exec(remove.path) ?? [];
    const removal: Draft = {
      ...removeBase,
      phase,
      operation: remove,
      args: { [parameter]: id },
      provides: [...(current ? [keyIsFree(current)] : []), isGone],
    };
    return [removal, ...(restored?.(context, current) ?? []).map((each) => ({ ...each, phase, needs: [isGone] }))];
  };
  const creation = (values: Values): Draft => ({
    ...addBase,
    member: "id",
    operation: add,
    args: Object.fromEntries(Object.keys(add.params).map((parameter) => [parameter, values[parameter]])),
    needs: [keyIsFree(values)],
  });
  return {
    ...stated,
    doc,
    ...(requiredToCreate && { requiredToCreate }),
    recreated: true,
    members: attributesOf(add, {
      without: [],
      more: {
        ...Object.fromEntries(key.map((member) => [member, { shape: nonEmpty, needed: true, stored: fold }])),
        ...more,
      },
    }),
    requests: {
      create: (_, { to }) => [creation(to)],
      // `fields` contains the key, so that it can be created again.
      update: (context, { id, fields }) => {
        const addition = creation(valuesOf(fields));
        const needs = [...(addition.needs ?? []), `${stated.one} ${id} is gone`];
        return [...removals(context, id, phases.collections), { ...addition, needs }];
      },
      remove: (context, { id }) => removals(context, id, phases.removals),
    },
  };
}
