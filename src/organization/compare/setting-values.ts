/** Converts values of settings whose words depend on the server. */
import { choicesOf, type Setting } from "../../model/setting.ts";
import { alternativesOf, shapeOf } from "../../wire/shape.ts";
import { membersOf, type Path } from "../content.ts";
import { metadataOf, orList, type Shape } from "../shape.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Findings } from "./findings.ts";

/** A value of the file. */
interface StatedValue {
  readonly value: unknown;
  readonly path: Path;
  /** The current value. */
  readonly from: unknown;
}

/** Whether the shape is a mapping whose keys are free, or a text that stands for one. */
export const isFreeMapping = (shape: Shape): boolean =>
  alternativesOf(shapeOf(shape)).some((each) => metadataOf(each).values !== undefined);

/** Returns all methods of the server, with the named ones on. */
export function methodsOn(on: readonly unknown[], from: unknown, path: Path, findings: Findings): unknown {
  const all = Object.keys(membersOf(from));
  const wanted = new Set(on.map((name) => String(name).toLowerCase()));
  const unknown = [...wanted].find((name) => !all.some((each) => each.toLowerCase() === name));
  if (unknown !== undefined)
    return findings.problem(path, `unknown sign-in method "${unknown}" on this server: must be ${orList(all)}`);
  return Object.fromEntries(all.map((name) => [name, wanted.has(name.toLowerCase())]));
}

/** Returns the number for a word. Servers differ in the words that they support. */
export function choiceNumber(
  setting: Setting,
  { value, path, from }: StatedValue,
  { snapshot, findings }: { snapshot: Snapshot; findings: Findings },
): unknown {
  const all = choicesOf(setting, snapshot.organization) ?? {};
  const number = typeof value === "string" ? all[value] : value;
  const isThere = all === setting.choices || Object.values(all).some((each) => each === number);
  if (number === from || (number !== undefined && isThere)) return number;
  return findings.problem(path, `this server does not have it: must be ${orList(Object.keys(all))}`);
}
