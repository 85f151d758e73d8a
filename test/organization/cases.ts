/**
 * Cases as text. A block begins with its title. The indented lines are changes of the sandbox, options, a file or
 * differences, and the result. `--update=all` records the results again.
 *
 *     a channel that is renamed
 *         given channel design {"description":"x"}
 *         (level 416, as 200, prune)
 *         channels: [{ name: sketches, was: design }]
 *         = update channels sketches name: design → sketches
 */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Difference, FieldChange } from "../../src/organization/difference.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";

export interface Case {
  /** Changes the sandbox. */
  readonly given: (state: SandboxState) => void;
  /** Options such as `{ level: 416, prune: true }`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The file or the differences. */
  readonly lines: readonly string[];
}

const named = (all: Iterable<object>, name: string): object => {
  const found = [...all].find((each) =>
    [Reflect.get(each, "name"), Reflect.get(each, "delivery_email")].includes(name),
  );
  if (!found) throw new Error(`the sandbox has no ${name}`);
  return found;
};

const things: Readonly<Record<string, (state: SandboxState, name: string) => object>> = {
  channel: ({ channels }, name) => named(channels.values(), name),
  group: ({ groups }, name) => named(groups.values(), name),
  folder: ({ folders }, name) => named(folders.values(), name),
  person: ({ users }, name) => named(users.values(), `${name}@sandbox.example`),
  field: ({ profile_fields }, name) => named(profile_fields, name),
  organization: ({ organization }) => organization,
  settings: ({ organization }) => organization.settings,
  permissions: ({ organization }) => organization.permissions,
  counters: ({ counters }) => counters,
};

/** Sets members. Lists become sets, and objects become maps, where the sandbox has these. */
function assign(target: object, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    const now: unknown = Reflect.get(target, name);
    const map = () => new Map(Object.entries(value).map(([key, each]) => [Number(key), each]));
    Reflect.set(target, name, now instanceof Set ? new Set(value) : now instanceof Map ? map() : value);
  }
}

/** Applies `channel design {…}`, `channel.settings design {…}`, `add domains {…}` or the name of a function. */
export function prepare(
  state: SandboxState,
  text: string,
  functions: Readonly<Record<string, (state: SandboxState) => void>>,
): void {
  const [, word = "", name = "", json] = /^(\S+) ?(.*?) ?(\{.*)?$/.exec(text) ?? [];
  const members = json === undefined ? {} : JSON.parse(json);
  const [kind = "", member] = word.split(".");
  if (json === undefined) functions[text]!(state);
  else if (kind === "add") Reflect.get(state, name).push(members);
  else {
    const thing = things[kind]!(state, name);
    assign(member ? Reflect.get(thing, member) : thing, members);
  }
}

const option = (text: string): [string, unknown] => {
  const [name = "", value] = text.split(" ");
  return [name, value === undefined ? true : /^\d+$/.test(value) ? Number(value) : value];
};

type Functions = Parameters<typeof prepare>[2];

/** Computes the results of all cases of a file, and compares them with the recorded ones. */
export async function checkCases(
  name: string,
  resultOf: (one: Case) => Promise<readonly string[]>,
  functions: Functions = {},
): Promise<void> {
  const path = `${import.meta.dirname}/${name}`;
  const written: string[] = [];
  for (const block of readFileSync(path, "utf8").trimEnd().split("\n\n")) {
    const stated = block.split("\n").filter((line) => !line.startsWith("    = "));
    const lines = stated.filter((line) => line.startsWith("    ")).map((line) => line.slice(4));
    const givens = lines.filter((line) => line.startsWith("given ")).map((line) => line.slice(6));
    const options = lines.flatMap((line) => (/^\(.*\)$/.test(line) ? line.slice(1, -1).split(", ").map(option) : []));
    const result = await resultOf({
      given: (state) => {
        for (const text of givens) prepare(state, text, functions);
      },
      options: Object.fromEntries(options),
      lines: lines.filter((line) => !/^given |^\(/.test(line)),
    });
    written.push([...stated, ...result.map((line) => `    = ${line}`)].join("\n"));
  }
  await expect(`${written.join("\n\n")}\n`).toMatchFileSnapshot(path);
}

/** Reads `update folders 1 Work {"name":["Projects","Work"]}` and the like. `1000…1500` stands for these ids. */
export function differenceOf(line: string): Difference {
  const [, action, section, id, name, json = ""] = /^(\w+) (\w+)(?: (\d+))?(?: (.*?))? ([[{].*)$/.exec(line) ?? [];
  const ids = (_: string, from: string, to: string) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => Number(from) + n).join();
  const value = JSON.parse(json.replace(/(\d+)…(\d+)/g, ids));
  const about = { action, section, name: name || section, ...(id && { id: Number(id) }) };
  if (action === "create" || action === "invite") return { ...about, to: value } as Difference;
  if (action === "remove") return { ...about, from: value } as Difference;
  if (action === "reorder") return { ...about, from: [], to: value } as unknown as Difference;
  const fields = Object.entries(value).map(([word, change]): FieldChange => {
    const [from, to] = change as [unknown, unknown];
    const [field = "", of] = word.split(" ");
    const known = /^\d+$/.test(of ?? "") ? Number(of) : { new: of ?? "" };
    return { field, ...(of && { of: { field: known, name: of } }), from, to };
  });
  return { ...about, fields } as Difference;
}
