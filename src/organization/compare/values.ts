/** Converts values of a file: names of things and people become ids. */

import { membersOf } from "../../common/object-members.ts";
import { choicesOf, type Setting } from "../../model/setting.ts";
import { alternativesOf, shapeOf } from "../../wire/shape.ts";
import {
  type AttributeShape,
  groupsShape,
  type Member,
  metadataOf,
  orList,
  peopleShape,
  type ReferenceKind,
  textIn,
  whoShape,
} from "../attribute-shapes.ts";
import type { Path } from "../content.ts";
import type { ThingId } from "../difference.ts";
import type { Pairings, ValueContext } from "../sections/section-rules.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Findings } from "./findings.ts";
import { ListValues } from "./list-values.ts";
import type { NamedSection, References } from "./references.ts";

const kinds: Partial<Record<ReferenceKind, NamedSection>> = {
  channel: "channels",
  folder: "folders",
  group: "groups",
  field: "profile_fields",
};

/** Whether the shape is a mapping whose keys are free, or a text that stands for one. */
const isFreeMapping = (shape: AttributeShape): boolean =>
  alternativesOf(shapeOf(shape)).some((each) => metadataOf(each).values !== undefined);

/** Returns all methods of the server, with the named ones on. */
function methodsOn(on: readonly unknown[], from: unknown, path: Path, findings: Findings): unknown {
  const all = Object.keys(membersOf(from));
  const wanted = new Set(on.map((name) => String(name).toLowerCase()));
  const unknown = [...wanted].find((name) => !all.some((each) => each.toLowerCase() === name));
  if (unknown !== undefined)
    return findings.problem(path, `unknown sign-in method "${unknown}" on this server: must be ${orList(all)}`);
  return Object.fromEntries(all.map((name) => [name, wanted.has(name.toLowerCase())]));
}

/** Returns the number for a word. Servers differ in the words that they support. */
function choiceNumber(
  setting: Setting,
  { value, path, from }: ValueContext,
  { snapshot, findings }: { snapshot: Snapshot; findings: Findings },
): unknown {
  const all = choicesOf(setting, snapshot.organization) ?? {};
  const number = typeof value === "string" ? all[value] : value;
  const isThere = all === setting.choices || Object.values(all).some((each) => each === number);
  if (number === from || (number !== undefined && isThere)) return number;
  return findings.problem(path, `this server does not have it: must be ${orList(Object.keys(all))}`);
}

/** Returns functions that convert values. Unknown names become problems in `findings`. */
export function valuesOf(snapshot: Snapshot, pairings: Pairings, references: References, findings: Findings) {
  const lists = new ListValues(snapshot, pairings, references, findings);
  const { isName, thing } = references;

  /** Returns the value with ids. Undefined after a problem. */
  function of({ shape, stored, choices, read }: Member, { value: stated, ...rest }: ValueContext): unknown {
    const value = typeof stated === "string" && read ? (read(stated) ?? stated) : stated;
    const context = { value, ...rest };
    const { path, from } = context;
    if (choices) return choiceNumber(choices, context, { snapshot, findings });
    if (shape === peopleShape) return lists.people(context);
    if (shape === groupsShape) return lists.groups(context);
    if (shape === whoShape) return lists.who(context);
    const names = textIn(shape)?.names;
    const kind = names && kinds[names];
    if (kind && typeof value === "string") {
      const isNone = /^(?:none|-1)$/.test(value) && !isName(kind, value);
      return isNone ? null : thing(kind, value, path, [from]);
    }
    // Keys that the file does not mention keep their values.
    if (read && Array.isArray(value)) return methodsOn(value, from, path, findings);
    if (isFreeMapping(shape)) return { ...membersOf(from), ...membersOf(value) };
    if (!stored) return value;
    return Array.isArray(value) ? value.map((each) => stored(String(each))) : stored(String(value));
  }

  return {
    of,
    people: (context: ValueContext) => lists.people(context),
    through: (path: Path) => lists.through(path),
    usesOf: (group: ThingId) => lists.usesOf(group),
  };
}
