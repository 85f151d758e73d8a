/**
 * The interface for scripts as data: commands, arguments, flags, exit codes, shapes of JSON, keys of organization files,
 * environment variables. The shapes come from the lines in `test/cases`.
 */
import type { Catalogue, CatalogueFlag, CatalogueValue } from "../../src/cli/catalogue/catalogue-document.ts";
import * as errors from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { argvOf, everyCase, everyLine, isMaking, setup, withFlags } from "../cases/all.ts";
import type { Setting } from "../cases/case.ts";
import { page, pages } from "../pages.ts";
import { zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** A flag or an argument. */
export interface Word {
  readonly short?: string;
  /** A kind of thing, `choice`, `text`, `number` and so on. Absent for a flag without a value. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
  readonly repeats?: boolean;
}

export interface Interface {
  readonly version: string;
  readonly exit_codes: Readonly<Record<string, number>>;
  readonly environment: readonly string[];
  readonly flags: Readonly<Record<string, Word>>;
  readonly other_names: Readonly<Record<string, readonly string[]>>;
  readonly commands: Readonly<
    Record<string, { readonly arguments: readonly Word[]; readonly flags: Readonly<Record<string, Word>> }>
  >;
  /** The shape of the output of `help --json`. */
  readonly catalogue: Shape;
  /** The shape of the output of `--json`, by command. */
  readonly results: Readonly<Record<string, Shape>>;
  /** The output of `--dry-run --json` of all commands. */
  readonly dry_run: Shape;
  /** The error on stderr with `--json`. */
  readonly error: Shape;
  /** The kinds of values in an organization file, by path. */
  readonly organization_file: Shape;
}

const wordOf = ({ kind, choices, required, repeatable }: CatalogueValue): Word => ({
  ...(kind !== "switch" && { value: kind }),
  ...(choices && { choices }),
  ...(required && { required }),
  ...(repeatable && { repeats: repeatable }),
});

const flagsOf = (flags: readonly CatalogueFlag[]): Record<string, Word> =>
  Object.fromEntries(flags.map((flag) => [flag.name, { ...(flag.short && { short: flag.short }), ...wordOf(flag) }]));

const sorted = <T>(all: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));

const catalogue = JSON.parse((await zulipctl(["help", "--json"])).out) as Catalogue;

const otherNames = (): Record<string, readonly string[]> =>
  sorted(
    [...catalogue.nouns, ...catalogue.commands]
      .filter(({ other_names }) => other_names.length)
      .map(({ name, other_names }) => [name, other_names] as const),
  );

/** Returns exit codes by kind of failure. */
function exitCodes(): Record<string, number> {
  const failures = Object.values(errors).flatMap((each) => {
    if (typeof each !== "function" || !(each.prototype instanceof errors.Failure)) return [];
    const { kind, exitCode } = Reflect.construct(each, [""]) as errors.Failure;
    return [[kind, exitCode] as const];
  });
  return sorted([...failures, ...Object.entries(errors.signalCodes), ["bug", 70], ["done", 0]]);
}

/** Runs a command line in the world of its case. */
async function outputOf(argv: readonly string[], setting: Setting) {
  const { sandbox: _, ...world } = setup(setting);
  const end = testWorld(world);
  await main(argv, end);
  return { out: end.stdout.text, err: end.stderr.text };
}

/** Returns the command line with `--json` instead of another output format. */
function withJson(argv: readonly string[], ...more: string[]): string[] {
  const at = argv.findIndex((word) => word === "-o" || word === "--jq");
  return withFlags(at < 0 ? argv : argv.toSpliced(at, 2), ["--json", ...more]);
}

/** Returns the parsed JSON, or nothing for other text. */
function tryParse(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

async function results(): Promise<Record<string, Shape>> {
  const values = new Map<string, unknown[]>();
  // The schema is in `organization_file`.
  for (const line of everyLine.filter(({ command }) => command !== "org schema")) {
    const { out } = await outputOf(withJson(line.argv), line);
    values.set(line.command, [...(values.get(line.command) ?? []), ...tryParse(out)]);
  }
  return sorted([...values].filter(([, all]) => all.length).map(([command, all]) => [command, shapeOf(all)] as const));
}

async function dryRun(): Promise<Shape> {
  const values: unknown[] = [];
  for (const line of everyLine.filter(isMaking))
    values.push(...tryParse((await outputOf(withJson(line.argv, "--dry-run"), line)).out));
  return omitBelow(shapeOf(values), "[].parameters", "[].from");
}

/** Removes members below these paths: parameters of the API. */
const omitBelow = (shape: Shape, ...paths: string[]): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([path]) => !paths.some((one) => path.startsWith(`${one}.`))));

async function errorShape(): Promise<Shape> {
  const values: unknown[] = [];
  for (const [command, { refused = [] }] of everyCase)
    for (const refusal of refused) {
      const { err } = await outputOf(withFlags(argvOf(command, refusal), ["--json"]), refusal);
      values.push(...tryParse(err.trimEnd().split("\n").at(-1) ?? ""));
    }
  return shapeOf(values);
}

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
}

/** Returns the types in the schema of organization files, by path. */
async function organizationFile(): Promise<Shape> {
  const { out } = await zulipctl(["org", "schema", "--json"]);
  const whole = JSON.parse(out) as Schema;
  const kinds = new Map<string, Set<string>>();
  const walk = (path: string, schema: Schema): void => {
    const add = (kind: string) => kinds.set(path, (kinds.get(path) ?? new Set()).add(kind));
    if (schema.$ref) walk(path, whole.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {});
    if (schema.type) add(schema.type);
    for (const value of [schema.enum ?? [], "const" in schema ? [schema.const] : []].flat()) add(JSON.stringify(value));
    for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(path, each);
    for (const [name, each] of Object.entries(schema.properties ?? {})) walk(`${path}.${name}`, each);
    if (typeof schema.additionalProperties === "object") walk(`${path}.*`, schema.additionalProperties);
    if (schema.items) walk(`${path}[]`, schema.items);
  };
  walk("", whole);
  return sorted([...kinds].map(([path, all]) => [path, [...all].sort().join("|")] as const));
}

export async function interfaceOf(version: string): Promise<Interface> {
  const variables = pages.flatMap((path) => [...page(path).matchAll(/\bZULIP(?:CTL)?_[A-Z_]*[A-Z]\b/g)]);
  return {
    version,
    exit_codes: exitCodes(),
    environment: [...new Set(variables.map(([name]) => name))].sort(),
    flags: flagsOf(catalogue.global_flags),
    other_names: otherNames(),
    commands: sorted(
      catalogue.commands.map(({ name, arguments: operands, flags }) => [
        name,
        { arguments: operands.map(wordOf), flags: flagsOf(flags) },
      ]),
    ),
    catalogue: shapeOf([catalogue]),
    results: await results(),
    dry_run: await dryRun(),
    error: await errorShape(),
    organization_file: await organizationFile(),
  };
}
