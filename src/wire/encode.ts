/** From an operation and its arguments to what goes over the wire. */
import { type AnyOperation, type ArgsOf, inQuery, reads } from "./operation.ts";
import type { Earlier, Param } from "./params.ts";
import { departure } from "./types.ts";

export interface Encoded {
  method: AnyOperation["method"];
  /** Below the organization's URL: `/api/v1/streams/7?…`. */
  target: string;
  /** Absent where the parameters stand in the URL. */
  body?: string;
  /** Decoded, for people and journals; secrets stand as `[secret]`. */
  parameters: Record<string, unknown>;
  /** `target` and `body` with secrets masked. */
  shown: { target: string; body?: string };
}

/** An argument that an operation cannot carry: a defect of the caller's, who must check what people type. */
export class BadArgument extends Error {
  override readonly name = "BadArgument";
}

const params = new WeakMap<AnyOperation, [string, Param][]>();

/** Every parameter of an operation, in the order in which they are sent. */
const paramsOf = (operation: AnyOperation): [string, Param][] => {
  const known = params.get(operation) ?? Object.entries<Param>(operation.params);
  params.set(operation, known);
  return known;
};

const given = (operation: AnyOperation, args: Record<string, unknown>): [string, Param, unknown][] => {
  for (const name of Object.keys(args))
    if (args[name] !== undefined && !Object.hasOwn(operation.params, name))
      throw new BadArgument(`${operation.name} has no parameter ${name}`);
  const all: [string, Param, unknown][] = [];
  for (const [name, param] of paramsOf(operation)) {
    const value = args[name];
    if (value === undefined && param.optional) continue;
    const wrong = departure(param.type, value);
    if (wrong) throw new BadArgument(`${operation.name}: ${name} ${wrong}`);
    all.push([name, param, value]);
  }
  return all;
};

/** True where what is sent differs between servers of different feature levels. */
export const encodingVaries = <O extends AnyOperation>(operation: O, args: ArgsOf<O>): boolean =>
  given(operation, args).some(([, { earlier }]) => earlier);

/** True where some servers would not know the operation, or what is sent with it, and it matters to know that first. */
export const mayBeTooNew = <O extends AnyOperation>(operation: O, args: ArgsOf<O>): boolean =>
  // A read that a server does not know is refused by it, harmlessly: asking first would double every list.
  (operation.since !== undefined && !reads(operation)) ||
  given(operation, args).some(([, { since, valueSince }, value]) => (since ?? valueSince?.(value)) !== undefined);

export interface Gap {
  /** The flag, or the parameter where it has none; undefined where the operation itself is too new. */
  flag: string | undefined;
  needs: number;
}

const older = (param: Param, level: number | undefined): Earlier | undefined =>
  level === undefined ? undefined : param.earlier?.find(({ below }) => level < below);

/** The level that a parameter takes with this value; 0 where the level that there is will do. */
function lacking(param: Param, value: unknown, level: number): number {
  const before = value === undefined ? undefined : older(param, level);
  const lost = before?.convert && before.convert(value) === undefined ? before.below : 0;
  const needs = Math.max(param.since ?? 0, (value !== undefined && param.valueSince?.(value)) || 0, lost);
  return level < needs ? needs : 0;
}

/** What of the request a server of this level does not know. */
export function gaps<O extends AnyOperation>(operation: O, args: ArgsOf<O>, level: number): Gap[] {
  const typed = given(operation, args).map(([param, { flag }, value]) => ({ param, flag: flag ?? param, value }));
  return gapsTyped(operation, typed, level);
}

/** What somebody typed for a parameter, before it is looked up. */
export interface Typed {
  param: string;
  /** As it was typed: `--no-folder`. */
  flag: string;
  /** Absent where only a look-up can tell; ids in it need not be those that names stand for. */
  value?: unknown;
}

/** Of what was typed, what a server of this level does not know. */
export function gapsTyped(operation: AnyOperation, typed: readonly Typed[], level: number): Gap[] {
  if (level < (operation.since ?? 0)) return [{ flag: undefined, needs: operation.since! }];
  return typed.flatMap(({ param: name, flag, value }) => {
    const needs = lacking(operation.params[name], value, level);
    return needs ? [{ flag, needs }] : [];
  });
}

/** Throws `BadArgument` for arguments of another type. `level` undefined: as the newest server known wants it. */
export function encode<O extends AnyOperation>(operation: O, args: ArgsOf<O>, level?: number): Encoded {
  const form = new URLSearchParams();
  const secrets: string[] = [];
  const parameters: Record<string, unknown> = {};
  let path = operation.path;
  for (const [name, param, value] of given(operation, args)) {
    if (path.includes(`{${name}}`)) {
      path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      continue;
    }
    const before = older(param, level);
    const sent = before?.convert ? before.convert(value) : value;
    const travel = before?.travel ?? param.travel;
    const as = before?.name ?? name;
    form.append(as, travel === "json" ? JSON.stringify(sent) : String(sent));
    if (param.secret) secrets.push(as);
    parameters[as] = param.secret ? "[secret]" : sent;
  }
  const request = { method: operation.method, parameters };
  const base = `/api/v1${path}`;
  const text = form.toString();
  for (const name of secrets) form.set(name, "[secret]");
  const shownForm = secrets.length ? form.toString().replaceAll("%5Bsecret%5D", "[secret]") : text;
  if (!inQuery(operation)) return { ...request, target: base, body: text, shown: { target: base, body: shownForm } };
  const query = (q: string) => (q ? `${base}?${q}` : base);
  return { ...request, target: query(text), shown: { target: query(shownForm) } };
}
