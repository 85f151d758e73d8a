/** Sections whose things are added and removed, and cannot be edited. */
import { updateOrganization } from "../../api/organization.ts";
import { statedOperation } from "../../api/registry.ts";
import { type KindName, kindNamed, kinds } from "../../model/kinds/index.ts";
import { pathParameter } from "../../wire/operation.ts";
import { type Member, nonEmptyShape } from "../attribute-shapes.ts";
import type { AttributeValues } from "../difference.ts";
import { phases } from "../order/phases.ts";
import { organizationSetting, type Snapshot } from "../snapshot.ts";
import { type ListOwner, listDrafts, listMembers } from "./member-lists.ts";
import {
  addBase,
  idIsMade,
  nameIsFree,
  type RequestContext,
  type RequestDraft,
  removeBase,
  valuesByField,
} from "./requests.ts";
import { attributesOf, idOf, ofKind, type ThingsSection, type WritableEntry } from "./section.ts";

interface ListSection {
  readonly doc: string;
  /** What is stated of attributes beyond their parameters. */
  readonly more?: Readonly<Record<string, Partial<Member>>>;
  readonly requiredToCreate?: string;
}

/** Kinds that state what removes their things. */
type Removable = { [K in KindName]: (typeof kinds)[K] extends { readonly remove: object } ? K : never }[KindName];

/** Makes the section of a kind whose things have ids. A changed thing is removed and added again. */
export function listSection<R extends WritableEntry>(kind: Removable, options: ListSection): ThingsSection<R> {
  const { doc, more = {}, requiredToCreate } = options;
  const add = statedOperation({ operation: kinds[kind].create[0] });
  const remove = statedOperation(kinds[kind].remove);
  const stated = ofKind<R>(kind);
  const { plural, key, fold = String } = stated;
  const { clears } = kindNamed(kind).removalEffect ?? {};
  /** Returns the request that sets again what servers clear with a removed thing. */
  const restoration = (snapshot: Snapshot, removed: WritableEntry | undefined): Pick<RequestDraft, "args">[] => {
    const value = clears && organizationSetting(snapshot, clears.setting);
    return clears && value && removed?.[clears.member] === value ? [{ args: { [clears.setting]: value } }] : [];
  };
  const keyIsFree = (values: WritableEntry | AttributeValues) =>
    nameIsFree(plural, key.map((member) => fold(String(values[member]))).join("\n"));
  const removals = (context: RequestContext, id: number | undefined, phase: number): RequestDraft[] => {
    const current = stated.records(context.snapshot).find((each) => idOf(stated, each) === id);
    const isGone = `${stated.one} ${id} is gone`;
    const removal: RequestDraft = {
      ...removeBase,
      phase,
      operation: remove,
      args: { [pathParameter(remove)]: id },
      provides: [...(current ? [keyIsFree(current)] : []), isGone],
    };
    const kept = { phase, operation: updateOrganization, needs: [isGone], result: `${clears?.what} kept` };
    return [removal, ...restoration(context.snapshot, current).map((each) => ({ ...kept, ...each }))];
  };
  const lists = listMembers(kind);
  /** `id`: the one that it has in the plan. */
  const creation = (
    context: RequestContext,
    { id, name }: ListOwner,
    values: AttributeValues,
    needs: readonly string[] = [],
  ): RequestDraft[] => {
    const draft: RequestDraft = {
      ...addBase,
      makes: { member: "id", id },
      operation: add,
      args: Object.fromEntries(Object.keys(add.params).map((parameter) => [parameter, values[parameter]])),
      needs: [keyIsFree(values), ...needs],
      provides: [idIsMade(id)],
    };
    const members = Object.keys(lists).map((field) => ({ field, to: values[field] }));
    return [draft, ...listDrafts(context, kind, { id, name }, members, addBase)];
  };
  return {
    ...stated,
    doc,
    ...(requiredToCreate && { requiredToCreate }),
    recreated: true,
    members: {
      ...attributesOf(add, {
        omit: [],
        more: {
          ...Object.fromEntries(key.map((member) => [member, { shape: nonEmptyShape, needed: true, stored: fold }])),
          ...more,
        },
      }),
      ...lists,
    },
    requests: {
      create: (context, { section, name, to }) =>
        creation(context, { id: context.ids.of(section, { new: name }), name }, to),
      // `fields` has all values if one of them changes, so that it can be created again.
      update: (context, { section, id = 0, name, fields }) => {
        if (fields.every(({ field }) => Object.hasOwn(lists, field)))
          return listDrafts(context, kind, { id, name }, fields, { phase: phases.collections });
        const again = { id: context.ids.again(section, name), name };
        return [
          ...removals(context, id, phases.collections),
          ...creation(context, again, valuesByField(fields), [`${stated.one} ${id} is gone`]),
        ];
      },
      remove: (context, { id }) => removals(context, id, phases.removals),
    },
  };
}
