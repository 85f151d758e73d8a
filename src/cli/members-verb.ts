/** Verbs for lists of members: without flags they list, with flags they add, remove or set members. */

import { itemsFromFile, readLists, splitList } from "../argv/read-text.ts";
import type { TextInput } from "../argv/text-input.ts";
import { isBlank } from "../common/folding.ts";
import { NoChangeRequested, Usage } from "../errors.ts";
import type { MemberKind } from "../model/kinds/kind.ts";
import { findListed } from "../resolve/listed.ts";
import type { MemberCall, MembersSpec, Owner, TypedCall } from "../run/members/spec.ts";
import type { MemberFlags } from "../wire/member-list.ts";
import type { RawOptions } from "./flag-rules.ts";
import { guardFlags } from "./guard-flags.ts";
import { type CommandParameter, type CommandParameters, camel, kebab } from "./parameter.ts";
import { withPreview } from "./preview-flags.ts";
import { groupsParameter, listSources, lookUpsOf, usersParameter } from "./thing-parameters.ts";
import { toggle } from "./value-parameters.ts";
import type { Verb } from "./verb.ts";
import type { VerbDescription } from "./verb-description.ts";
import { readingParameters } from "./verb-parameters.ts";

/** The declaration of such a verb. */
export interface MembersDescription extends MembersSpec, Omit<VerbDescription, "operands" | "flags" | "operations"> {
  /** Flags `--no-…` for changes, with their parameters. */
  readonly without?: Readonly<Record<string, { readonly parameter: CommandParameter; readonly param: string }>>;
  /** The operations that read the lists, by name. */
  readonly reads: readonly string[];
  /** Flags for listing. */
  readonly listing?: CommandParameters;
}

type FlagPart = keyof MemberFlags;
const parts: readonly FlagPart[] = ["added", "removed", "whole"];

/** Returns commander's name of a flag: `--add-subgroups` is `addSubgroups`. */
const optionOf = (flag: string): string => camel(flag.slice(2));

/** People or groups. `--set ''` is an empty list. */
const membersParameter = (kind: MemberKind, part: FlagPart, doc: string): CommandParameter<number[], TextInput[]> => ({
  ...(kind === "user" ? usersParameter : groupsParameter)(doc),
  read: (raw: TextInput[], { context, flag }) =>
    readLists(context.world, flag, part === "whole" && raw.every(({ text }) => isBlank(text)) ? [] : raw, {
      people: kind === "user",
    }),
  find: async (lists: TextInput[][], { context: { names }, flag }) => {
    const ids = new Set<number>();
    const found = [];
    for (const parts of lists) found.push(...(await findListed(names, kind, parts, flag)));
    for (const { id, typed } of found) {
      // Servers refuse the whole list, and do not say for whom.
      if (kind === "user" && part !== "removed" && (await names.isDeactivated(id)))
        throw new Usage(`${flag}: user "${typed}" is deactivated`, {
          hint: `Reactivate with: zulipctl users reactivate ${id}`,
        });
      ids.add(id);
    }
    return [...ids];
  },
});

/** Channels or groups without duplicates. */
const ownersParameter = (kind: MembersSpec["of"]): CommandParameter<Owner[], TextInput> => ({
  metavar: kind,
  doc: `name or id; several with commas; ${listSources(kind)}`,
  file: true,
  lookUps: lookUpsOf[kind],
  offers: { of: kind, list: true, ...(kind === "channel" && { at: true }) },
  read: async (typed: TextInput, { context, flag }) =>
    (await itemsFromFile(context.world, flag, typed, { atIsName: kind === "group" })) ?? typed,
  find: async (read: TextInput[] | TextInput, { context: { names }, flag }) => {
    const owners = new Map<number, Owner>();
    const lists = Array.isArray(read) ? read.map((line) => [line]) : [splitList(read, flag)];
    for (const parts of lists)
      for (const owner of await findListed(names, kind, parts, flag))
        if (!owners.has(owner.id)) owners.set(owner.id, owner);
    return [...owners.values()];
  },
});

/** Makes a verb for the lists of a channel or group. */
export function membersVerb({ without = {}, listing = {}, reads, ...spec }: MembersDescription): Verb {
  const { lists } = spec;
  const members = lists.flatMap(({ kind, docs }) =>
    parts.map((part) => ({
      part,
      option: optionOf(kind.flags[part]),
      parameter: membersParameter(kind.kind, part, docs[part]),
    })),
  );
  const optionsOf = (some: readonly FlagPart[]) =>
    members.flatMap(({ part, option }) => (some.includes(part) ? option : []));

  /** Returns the flags of a call by parameter. Empty if no flag asks for the call. */
  const flagsOf = ({ operation, params }: MemberCall, typed: RawOptions): Record<string, string> => {
    const flags: Record<string, string> = {};
    for (const [n, { added, removed }] of params.entries())
      for (const part of parts) {
        const flag = lists[n]!.kind.flags[part];
        if (typed[optionOf(flag)] === undefined) continue;
        if (added !== undefined && part !== "removed") flags[added] = flag;
        if (removed !== undefined && part !== "added") flags[removed] = flag;
      }
    const others = Object.entries(without).filter(([option]) => typed[option] === false);
    if (Object.keys(flags).length)
      for (const [option, { param }] of others)
        if (Object.hasOwn(operation.params, param)) flags[param] = `--no-${option}`;
    return flags;
  };
  const callsOf = (typed: RawOptions): TypedCall[] =>
    spec.calls
      .map((call) => ({ ...call, flags: flagsOf(call, typed) }))
      .filter(({ flags }) => Object.keys(flags).length > 0);

  const verb = withPreview({
    ...spec,
    operations: [...new Set(spec.calls.map(({ operation }) => operation.name)), ...reads],
    asks: "sometimes" as const,
    operands: { owners: ownersParameter(spec.of) },
    preview: "diff" as const,
    flags: {
      ...listing,
      ...Object.fromEntries(members.map(({ option, parameter }) => [option, parameter])),
      ...Object.fromEntries(Object.entries(without).map(([option, { parameter }]) => [option, parameter])),
      ifChanged: toggle("read first, and send only needed additions and removals"),
      once: toggle("with --add: leave out people whom an earlier run added and who are out again"),
      ...guardFlags,
    } as CommandParameters,
    conflicts: [
      ...Object.keys(listing).map((option) => [option, ...optionsOf(parts)]),
      ...optionsOf(["whole"]).map((option) => [option, ...optionsOf(["added", "removed"])]),
    ],
    check(typed: RawOptions) {
      const omitted = Object.keys(without).find((option) => typed[option] === false);
      const limit = ["allowEmpty", "maxRemovals"].find((option) => typed[option] !== undefined);
      const option = typed.ifChanged ? "ifChanged" : (limit ?? (omitted && `no-${omitted}`));
      if (typed.once && optionsOf(["added"]).every((each) => typed[each] === undefined))
        throw new NoChangeRequested("--once requires --add");
      const lists = typed.notIn !== undefined && option === "allowEmpty";
      if (lists) return;
      if (option && optionsOf(parts).every((each) => typed[each] === undefined))
        throw new NoChangeRequested(
          `--${kebab(option)} requires a flag that says what to change, such as --add or --delete`,
        );
    },
  });
  return {
    ...verb,
    action: (shell) =>
      shell.changes(async () => {
        const { planOf } = await import("../run/members/member-changes.ts");
        return readingParameters(
          verb,
          (context, { owners, ...values }, typed) => {
            const desired = lists.map((list) => {
              const [added, removed, whole] = parts.map((part) => values[optionOf(list.kind.flags[part])] as number[]);
              return { list, added: added ?? [], removed: removed ?? [], whole };
            });
            return planOf(context, spec, { owners, desired, calls: callsOf(typed), values });
          },
          async (context, typed) => {
            for (const { operation, flags } of callsOf(typed))
              await context.checkSupported(
                operation,
                Object.entries(flags).map(([param, flag]) => ({ param, flag })),
              );
          },
        );
      }),
  };
}
