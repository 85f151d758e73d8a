/** Encodes a call as a request. */
import { argumentsOf, type Call, type Spelling } from "./call.ts";
import { type AnyOperation, usesQuery } from "./operation.ts";
import type { FileToSend, OlderForm, Param } from "./params.ts";

export interface FormBody {
  fields: readonly [name: string, value: string][];
  files: readonly [name: string, file: FileToSend][];
}

interface Encoded {
  method: AnyOperation["method"];
  /** The path below the site: `/api/v1/streams/7?…`. For a file it may be a whole address. */
  target: string;
  /** Absent if the parameters are in the URL, and if there is a `form`. */
  body?: string;
  /** The parameters of a request with files. Its body is made while files are read. */
  form?: FormBody;
  /** The decoded parameters for people and journals. Secrets are `[secret]`. */
  parameters: Record<string, unknown>;
  /** `target` and `body` with masked secrets, and the parts of a `form` as curl writes them. */
  masked: { target: string; body?: string; form?: readonly string[] };
}

/** Returns whether servers of different levels expect different requests, or some must not get this one. */
export const dependsOnLevel = (call: Call): boolean =>
  argumentsOf(call).some(([, { older, harmfulBelow }]) => older ?? harmfulBelow);

export interface UnsupportedPart {
  /** The flag, or the parameter if none was typed. Undefined if the operation is too new. */
  flag: string | undefined;
  needs: number;
}

const olderForm = (param: Param, level: number | undefined): OlderForm | undefined =>
  level === undefined ? undefined : param.older?.find(({ below }) => level < below);

/** Returns the level that this value requires. 0 if the given level is enough. */
function requiredLevel(param: Param, value: unknown, level: number): number {
  const before = value === undefined ? undefined : olderForm(param, level);
  const unsupported = before?.convert && before.convert(value) === undefined ? before.below : 0;
  const needs = Math.max(param.since ?? 0, (value !== undefined && param.valueSince?.(value)) || 0, unsupported);
  return level < needs ? needs : 0;
}

/** A flag and its parameter. */
export interface TypedFlag {
  param: string;
  /** The flag as typed: `--no-folder`. */
  flag: string;
  /** Absent if only a look-up can tell. Ids in it may be placeholders. */
  value?: unknown;
}

/** Returns the flags of a call, or the parameters that no flag names. */
export const flagsIn = (call: Call, { flags = {} }: Spelling = {}): TypedFlag[] =>
  argumentsOf(call).map(([param, , value]) => ({ param, flag: flags[param] ?? param, value }));

/** Returns the parts of a request that a server of this level does not support. */
export function unsupportedParts(
  operation: Pick<AnyOperation, "since" | "params">,
  typed: readonly TypedFlag[],
  level: number,
): UnsupportedPart[] {
  if (operation.since !== undefined && level < operation.since) return [{ flag: undefined, needs: operation.since }];
  return typed.flatMap(({ param: name, flag, value }) => {
    const param = operation.params[name];
    const needs = param ? requiredLevel(param, value, level) : 0;
    return needs ? [{ flag, needs }] : [];
  });
}

function pathText({ encoding }: Param, value: string): string {
  if (encoding === "link") return value;
  return encoding === "path" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
}

const withoutQuery = (address: string): string => address.replace(/\?.*/s, "?[secret]");

/** The address of a request. */
export const urlOf = (site: string, target: string): string => (target.startsWith("/") ? site + target : target);

/** Formats a form with files as curl does: `name=text`, and `name=@path` for a file. */
const formParts = ({ fields, files }: FormBody): string[] => [
  ...fields.map(([name, value]) => `${name}=${value}`),
  ...files.map(([name, { path, type }]) => `${name}=@${path};type=${type}`),
];

const secretWord = "[secret]";

/** The encoded parameters, without secret values. */
const maskedText = (form: URLSearchParams, secrets: readonly string[]): string =>
  [...form]
    .map(([name, value]) =>
      secrets.includes(name) ? `${name}=${secretWord}` : `${new URLSearchParams([[name, value]])}`,
    )
    .join("&");

/** Encodes a call. Without a `level`, as the newest known server expects it. */
export function encode(call: Call, level?: number): Encoded {
  const { operation } = call;
  const form = new URLSearchParams();
  const query = new URLSearchParams();
  const secrets: string[] = [];
  const files: [string, FileToSend][] = [];
  const parameters: Record<string, unknown> = {};
  let path = operation.path;
  for (const [name, param, value] of argumentsOf(call)) {
    if (path.includes(`{${name}}`)) {
      // As a string, `$` in a replacement would have a meaning.
      path = path.replace(`{${name}}`, () => pathText(param, String(value)));
      continue;
    }
    if (param.encoding === "unsent") continue;
    if (param.encoding === "file") {
      files.push([name, value as FileToSend]);
      parameters[name] = value;
      continue;
    }
    const older = olderForm(param, level);
    const converted = older?.convert ? older.convert(value) : value;
    const encoding = older?.encoding ?? param.encoding;
    const sentName = older?.name ?? name;
    const sent = param.query || usesQuery(operation) ? query : form;
    sent.append(sentName, encoding === "json" ? JSON.stringify(converted) : String(converted));
    if (param.secret) secrets.push(sentName);
    parameters[sentName] = param.secret ? secretWord : converted;
  }
  const request = { method: operation.method, parameters };
  if (operation.answer === "bytes") return { ...request, target: path, masked: { target: withoutQuery(path) } };
  const address = (text: string) => `/api/v1${path}${text && `?${text}`}`;
  const target = address(query.toString());
  const maskedTarget = address(maskedText(query, secrets));
  if (files.length) {
    const shown = [...form].map(([name, value]): [string, string] => [
      name,
      secrets.includes(name) ? secretWord : value,
    ]);
    const maskedParts = formParts({ fields: shown, files });
    return {
      ...request,
      target,
      form: { fields: [...form], files },
      masked: { target: maskedTarget, body: maskedParts.join(" "), form: maskedParts },
    };
  }
  if (usesQuery(operation)) return { ...request, target, masked: { target: maskedTarget } };
  const body = operation.body ?? form.toString();
  const maskedBody = operation.body !== undefined && !secrets.length ? body : maskedText(form, secrets);
  return { ...request, target, body, masked: { target: maskedTarget, body: maskedBody } };
}
