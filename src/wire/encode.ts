/** From a call to what goes over the wire. */
import { type Call, givenIn, type Spelling } from "./call.ts";
import { type AnyOperation, inQuery, reads } from "./operation.ts";
import type { Earlier, FileToSend, Param } from "./params.ts";

export interface Form {
  fields: readonly [name: string, value: string][];
  files: readonly [name: string, file: FileToSend][];
}

export interface Encoded {
  method: AnyOperation["method"];
  /** Below the organization's URL: `/api/v1/streams/7?…`; of a file it may be a whole address, of any host. */
  target: string;
  /** Absent where the parameters stand in the URL, and where there is a `form`. */
  body?: string;
  /** The parameters of a request that sends files: its body is made while they are read. */
  form?: Form;
  /** Decoded, for people and journals; secrets stand as `[secret]`. */
  parameters: Record<string, unknown>;
  /** `target` and `body` with secrets masked; of a `form` its parts, in the words of curl. */
  shown: { target: string; body?: string; form?: readonly string[] };
}

/** True where what is sent differs between servers of different feature levels. */
export const encodingVaries = (call: Call): boolean => givenIn(call).some(([, { earlier }]) => earlier);

/** True where some servers would not know the operation, or what is sent with it, and it matters to know that first. */
export const mayBeTooNew = (call: Call): boolean =>
  // A read that a server does not know is refused by it, harmlessly: asking first would double every list.
  (call.operation.since !== undefined && !reads(call.operation)) ||
  givenIn(call).some(([, { since, valueSince }, value]) => (since ?? valueSince?.(value)) !== undefined);

export interface Gap {
  /** The flag, or the parameter where none was typed; undefined where the operation itself is too new. */
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
export function gaps(call: Call, level: number, { flags = {} }: Spelling = {}): Gap[] {
  const typed = givenIn(call).map(([param, , value]) => ({
    param,
    flag: flags[param] ?? param,
    value,
  }));
  return gapsTyped(call.operation, typed, level);
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
  if (operation.since !== undefined && level < operation.since) return [{ flag: undefined, needs: operation.since }];
  return typed.flatMap(({ param: name, flag, value }) => {
    const needs = lacking(operation.params[name], value, level);
    return needs ? [{ flag, needs }] : [];
  });
}

function filling({ travel }: Param, value: string): string {
  if (travel === "link") return value;
  return travel === "path" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
}

const withoutQuery = (address: string): string => address.replace(/\?.*/s, "?[secret]");

/** Where a request goes. */
export const addressOf = (site: string, target: string): string => (target.startsWith("/") ? site + target : target);

/** A form with files in the words of curl: `name=text`, and `name=@path` for a file. */
const formWords = ({ fields, files }: Form): string[] => [
  ...fields.map(([name, value]) => `${name}=${value}`),
  ...files.map(([name, { path, type }]) => `${name}=@${path};type=${type}`),
];

/** `level` undefined: as the newest server known wants it. */
export function encode(call: Call, level?: number): Encoded {
  const { operation } = call;
  const form = new URLSearchParams();
  const secrets: string[] = [];
  const files: [string, FileToSend][] = [];
  const parameters: Record<string, unknown> = {};
  let path = operation.path;
  for (const [name, param, value] of givenIn(call)) {
    if (path.includes(`{${name}}`)) {
      // A replacement that is text could hold a `$` that means something.
      path = path.replace(`{${name}}`, () => filling(param, String(value)));
      continue;
    }
    if (param.travel === "aside") continue;
    if (param.travel === "file") {
      files.push([name, value as FileToSend]);
      parameters[name] = value;
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
  if (operation.answer === "bytes") return { ...request, target: path, shown: { target: withoutQuery(path) } };
  const base = `/api/v1${path}`;
  const text = operation.body ?? form.toString();
  const fields = [...form];
  for (const name of secrets) form.set(name, "[secret]");
  if (files.length) {
    const shown = formWords({ fields: [...form], files });
    return {
      ...request,
      target: base,
      form: { fields, files },
      shown: { target: base, body: shown.join(" "), form: shown },
    };
  }
  const shownForm = secrets.length ? form.toString().replaceAll("%5Bsecret%5D", "[secret]") : text;
  if (!inQuery(operation)) return { ...request, target: base, body: text, shown: { target: base, body: shownForm } };
  const query = (q: string) => (q ? `${base}?${q}` : base);
  return { ...request, target: query(text), shown: { target: query(shownForm) } };
}
