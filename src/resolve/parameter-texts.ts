/** Formats the parameters of a request for people: ids with known names. */
import { knownRole } from "../model/person.ts";
import { jsonText } from "../output/sanitize.ts";
import { paramOf } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { IdKind, Param } from "../wire/params.ts";
import type { IdNames, NameKind } from "./look-ups.ts";

const inside: Readonly<Record<string, NameKind>> = { direct_members: "user", direct_subgroups: "group" };
const ofPeople: Readonly<Record<string, NameKind>> = { user_ids: "user", group_ids: "group" };

/** The kind of ids in a member of a value. */
function memberIdea(idea: IdKind, member: string, value: Record<string, unknown>): IdKind | undefined {
  if (idea === "who") return Object.hasOwn(inside, member) ? inside[member] : "who";
  if (idea === "people") return Object.hasOwn(ofPeople, member) ? ofPeople[member] : "people";
  if (idea === "draft" && member === "to") return value.type === "stream" ? "channel" : "user";
  return undefined;
}

async function nameOf(names: IdNames, idea: IdKind | undefined, value: number): Promise<string | undefined> {
  if (idea === undefined || idea === "draft" || idea === "people" || idea === "recipient") return undefined;
  if (idea === "role") return knownRole(value);
  return names.nameOf(idea === "who" ? "group" : idea, value);
}

/** Formats a value. */
export async function valueText(names: IdNames, idea: IdKind | undefined, value: unknown): Promise<string> {
  if (idea === "recipient") return valueText(names, Array.isArray(value) ? "user" : "channel", value);
  if (idea === undefined || typeof value !== "object" || value === null) {
    const name = typeof value === "number" ? await nameOf(names, idea, value) : undefined;
    return name === undefined ? jsonText(value) : `${value} (${name})`;
  }
  if (Array.isArray(value)) {
    const all = [];
    for (const each of value) all.push(await valueText(names, idea, each));
    return `[${all.join(",")}]`;
  }
  const all = [];
  for (const [member, each] of Object.entries(value))
    if (each !== undefined)
      all.push(`${jsonText(member)}:${await valueText(names, memberIdea(idea, member, value as never), each)}`);
  return `{${all.join(",")}}`;
}

/** Formats all parameters. Path parameters are listed only if they have a name. */
export async function parameterTexts(
  operation: AnyOperation,
  args: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
  names: IdNames,
): Promise<[name: string, text: string][]> {
  const { path, params } = operation;
  const all: [string, string][] = [];
  for (const [name, { of }] of Object.entries<Param>(params)) {
    const id = args[name];
    if (!of || !path.includes(`{${name}}`)) continue;
    const text = await valueText(names, of, id);
    if (text !== jsonText(id)) all.push([name, text]);
  }
  for (const [name, value] of Object.entries(parameters))
    all.push([name, await valueText(names, paramOf(operation, name, value)?.of, value)]);
  return all;
}
