import { operations } from "../api/registry.ts";
import type { Flags } from "../argv/global-flags.ts";
import type { TextInput } from "../argv/text-input.ts";
import { type CommandParameter, optionalOperand, type RawFlags, withDefault } from "../cli/parameter.ts";
import { negatedOnly, offered, text, textOrFile, texts, toggle } from "../cli/value-parameters.ts";
import { rawChangingVerb } from "../cli/verbs-with-code.ts";
import { headText } from "../client/response-reader.ts";
import type { Server } from "../client/server.ts";
import { valueNamed } from "../common/object-members.ts";
import { quoteWord } from "../common/shell-words.ts";
import { type Change, change, isOneOf, type KnownCall } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { isSecretName } from "../notation/name.ts";
import type { Single } from "../output/form.ts";
import type { Context, Planned, ReadInstead } from "../run/context.ts";
import { type Call, call } from "../wire/call.ts";
import { encode } from "../wire/encode.ts";
import { fits } from "../wire/fits.ts";
import { type AnyOperation, operation } from "../wire/operation.ts";
import { maybe as optional, type Param, type Params } from "../wire/params.ts";
import { anything } from "../wire/types.ts";
import {
  checkNames,
  filesIn,
  formIn,
  formParameters,
  type Parameter,
  readParameters,
  readPath,
} from "./api/parameters.ts";

const fields = (short: string, doc: string, metavar: string): CommandParameter<TextInput[], TextInput[]> => ({
  short,
  metavar,
  doc,
  many: true,
  file: true,
  offers: { of: "parameter=value", at: true },
});

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

const flags = {
  field: fields("f", "a parameter sent as text; @file reads a file, - reads stdin", "name=text"),
  jsonField: fields("F", "a parameter sent as JSON, which is checked; files and stdin as with -f", "name=json"),
  file: texts("a file to upload; the form is sent as multipart/form-data", "name=path"),
  body: offered("file", textOrFile("send the form in this file as it is; - reads stdin", "file")),
  include: toggle("print status and headers first"),
  curl: toggle("print the same call for curl, and send nothing"),
  keep: negatedOnly("delete more than 20 messages without a copy"),
  allowLockout: toggle("let the account in use give up its own role"),
};

type Method = (typeof methods)[number];

interface TypedEndpoint {
  method: Method;
  pathText: string;
  isTyped: boolean;
}

/** Reads `PATCH /streams/1`, `get streams`, or only a path: then `unstated` is the method. */
function readEndpoint(first: string | undefined, path: string | undefined, unstated: Method): TypedEndpoint {
  const method = methods.find((each) => each === first?.toUpperCase());
  const pathText = path ?? (method ? undefined : first);
  if (pathText === undefined)
    throw new Usage("missing argument: <path>", { hint: 'Run "zulipctl api --help" for usage.' });
  if (path === undefined) return { method: unstated, pathText, isTyped: false };
  if (!method) throw new Usage(`invalid <METHOD> "${first}": must be one of ${methods.join(", ")}`);
  return { method, pathText, isTyped: true };
}

/** Makes an operation of an endpoint. Known endpoints keep their rules for secrets, parts and order. */
function operationOf(method: Method, path: string, parameters: readonly Parameter[], body?: string): AnyOperation {
  const known = knownOperation(method, path);
  const args = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  const params: Params = Object.fromEntries(
    parameters.map(({ name, travel: encoding }) => {
      const param: Param | undefined = known && valueNamed(known.operation.params, name);
      const secret = param ? param.secret : isSecretName(name);
      const { since, harmfulBelow } = param ?? {};
      // An older server ignores it, and may do harm with the rest.
      const level = method !== "GET" && since !== undefined && { since, ...(harmfulBelow && { harmfulBelow }) };
      return [name, optional({ type: anything, encoding, optional: true, ...(secret && { secret }), ...level })];
    }),
  );
  const applyOrder = known ? known.operation.applyOrder : "unknown";
  const stated = { params, generic: true as const };
  const unknown = "nobody has stated what this endpoint does";
  if (method === "GET") return operation("api", `${method} ${path}`, stated);
  return operation("api", `${method} ${path}`, {
    ...stated,
    effects: known?.operation.effects ?? { unknown },
    ...(known?.operation.secretAnswer && { secretAnswer: known.operation.secretAnswer }),
    ...(body !== undefined && { body }),
    target: () => known?.operation.target?.({ ...args, ...known.values }) ?? "api",
    ...(applyOrder && { applyOrder }),
  });
}

/** Returns an argument as its operation has it. Undefined for a value that only the server can judge. */
function decoded({ type, encoding }: Param, { value, travel }: Parameter): unknown {
  const isDocument = encoding === "json" && travel === "text";
  const argument = isDocument && typeof value === "string" ? parsedOrUndefined(value) : value;
  return fits(type)(argument) ? argument : undefined;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names of parameters that servers read as well. */
const oldNames: Readonly<Record<string, string>> = { subject: "topic" };

/** Decodes a raw request as the operation of its endpoint. */
function knownCall(method: Method, path: string, parameters: readonly Parameter[]): KnownCall | undefined {
  const known = knownOperation(method, path);
  if (!known) return undefined;
  const { operation, values } = known;
  const { params }: { params: Params } = operation;
  const args = parameters.flatMap((parameter): [string, unknown][] => {
    const name = Object.hasOwn(params, parameter.name) ? parameter.name : (valueNamed(oldNames, parameter.name) ?? "");
    const param = valueNamed(params, name);
    return param ? [[name, decoded(param, parameter)]] : [];
  });
  const isPartial = args.some(([, value]) => value === undefined);
  const hasOthers = args.length < parameters.length;
  const partly = { ...(isPartial && { isPartial }), ...(hasOthers && { hasOthers }) };
  return { operation, args: { ...Object.fromEntries(args), ...values }, ...partly };
}

/** Returns the command that shows the current state. Empty for unknown endpoints. */
function checkCommand(path: string): string {
  const parent = path.slice(0, path.lastIndexOf("/"));
  const known = [path, parent].find((one) => one && knownOperation("GET", one));
  return known === undefined ? "" : `zulipctl api GET ${known}`;
}

async function beforeMove(context: Context, { args }: KnownCall): Promise<Pick<Change, "before">> {
  const { movedBefore } = await import("./messages/moved-before.ts");
  return movedBefore(context, args);
}

async function inOneChannel(context: Context, known: KnownCall): Promise<KnownCall> {
  const { withChannel } = await import("./api/one-channel.ts");
  return withChannel(context, known);
}

async function callApi(
  context: Context,
  { field, jsonField, file: uploads, body: file, include = false, curl }: RawFlags<typeof flags>,
  first?: string,
  second?: string,
): Promise<Planned | ReadInstead> {
  const { world } = context;
  const otherFlag = field ? "-f" : jsonField ? "-F" : uploads && "--file";
  const formFlag = otherFlag ?? (file && "--body");
  const { method, pathText, isTyped } = readEndpoint(first, second, formFlag ? "POST" : "GET");
  const reads = method === "GET";
  if (file && otherFlag) throw new Usage(`--body cannot be combined with ${otherFlag}`);
  if (uploads && reads) throw new Usage("--file is for changes: a GET has no body");
  if (file && reads) throw new Usage("--body cannot be combined with GET: pass parameters with -f and -F");
  const form = file && (await formIn(world, file));
  const parametersInForm = form?.parameters ?? (await readParameters(world, field, jsonField));
  const server = await context.server();
  const { path, query } = readPath(pathText, server.site);
  if (query.size && !reads)
    throw new Usage(`<path>: the parameters of a ${method} go with -f, -F or --body, not behind a ?`, {
      hint: isTyped ? undefined : `${formFlag} makes the call a POST. To read, type GET before the path.`,
    });
  const parameters = [...formParameters(query, "<path>"), ...parametersInForm, ...(await filesIn(world, uploads))];
  checkNames(parameters);
  const endpoint = operationOf(method, path, parameters, form?.body);
  const args = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  if (curl) {
    const curlCommand = curlOf(call(endpoint, args), server, context.flags, include);
    const result: Single = { kind: "single", record: { curl: curlCommand }, columns: [], lines: curlCommand };
    return { kind: "read", look: async () => result };
  }
  if (reads)
    return {
      kind: "read",
      look: async () => {
        const record = await context.ask(endpoint, args);
        return { kind: "single", record, columns: [], raw: { ...(include && { head: headText(record) }) } };
      },
    };
  const stated = knownCall(method, path, parameters);
  const known =
    stated && isOneOf(stated, ["channel.subscribe", "channel.unsubscribe"])
      ? await inOneChannel(context, stated)
      : stated;
  const before = known && isOneOf(known, ["messages.edit"]) && (await beforeMove(context, known));
  return [
    change(endpoint, args, {
      target: `${method} ${path}`,
      done: `${method} ${path}: done.`,
      flags: Object.fromEntries(parameters.map(({ name, flag }) => [name, flag])),
      verifyWith: checkCommand(path),
      raw: { include },
      ...(known && { known }),
      ...before,
      ...(method === "DELETE" && { confirm: { question: `Send ${method} ${path}` } }),
    }),
  ];
}

/** Formats the call as a curl command. The key comes from the environment, and other secrets are `[secret]`. */
function curlOf(request: Call, server: Server, flags: Flags, include: boolean): string {
  const { method, masked } = encode(request);
  const body =
    masked.form?.flatMap((part) => ["--form", quoteWord(part)]) ??
    (masked.body === undefined ? [] : ["--data-raw", quoteWord(masked.body)]);
  const { caFile, clientCert, clientKey } = flags;
  const options: [string, string | undefined][] = [
    ["--cacert", caFile],
    ["--cert", clientCert],
    ["--key", clientKey],
  ];
  return [
    "curl",
    ...(include ? ["--include"] : []),
    ...(method === "GET" ? [] : ["--request", method]),
    "--user",
    `${quoteWord(`${server.email ?? ""}:`)}"$ZULIP_API_KEY"`,
    ...options.flatMap(([option, value]) => (value === undefined ? [] : [option, quoteWord(value)])),
    ...body,
    quoteWord(server.site + masked.target),
  ].join(" ");
}

/** Returns the values in a path, numbers as numbers. Undefined if the path does not match. */
function matchPath(template: string, path: string): Record<string, string | number> | undefined {
  const [parts, segments] = [template.split("/"), path.split("/")];
  if (parts.length !== segments.length) return undefined;
  const values: Record<string, string | number> = {};
  for (const [at, part] of parts.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    // Servers decode a path before they look up its endpoint.
    const value = decodeURIComponent(segments[at] ?? "");
    if (name === undefined && part !== value) return undefined;
    if (name !== undefined) values[name] = /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  return values;
}

interface KnownEndpoint {
  operation: AnyOperation;
  /** The parameters of its path. */
  values: Record<string, string | number>;
}

/** Returns the known operation of a method and path. Its path has the fewest parameters, whose types the values have. */
function knownOperation(method: string, path: string): KnownEndpoint | undefined {
  const literal = ({ operation }: KnownEndpoint) =>
    operation.path.split("/").filter((part) => !part.startsWith("{")).length;
  return operations()
    .filter((operation) => operation.method === method)
    .flatMap((operation) => {
      const values = matchPath(operation.path, path);
      const { params }: { params: Params } = operation;
      const isFor = (name: string, value: unknown) => !params[name] || fits(params[name].type)(value);
      return values && Object.entries(values).every(([name, value]) => isFor(name, value))
        ? [{ operation, values }]
        : [];
    })
    .sort((one, other) => literal(other) - literal(one))[0];
}

export const apiNoun = rawChangingVerb({
  doc: "Call any endpoint of the API, with the same credentials, rate limits and safety",
  operations: "any",
  asks: "sometimes",
  usage: "[options] [METHOD] <path>",
  operands: {
    method: optionalOperand({
      ...withDefault(
        "GET, or POST with -f, -F, --file or --body",
        text("GET reads; everything else counts as a change", "METHOD"),
      ),
      offers: { of: methods },
    }),
    path: { ...optionalOperand(text("the path, with or without /api/v1", "path")), lastRequired: true },
  },
  flags,
  note: "Prints the server's answer without result and msg. --jq filters what is printed.",
  examples: [
    "zulipctl api users/me",
    "zulipctl api channel_folders/create -f name=Teams -f description=",
    "zulipctl api GET streams -F include_all=true --jq '.streams | length'",
    "zulipctl api PATCH /streams/1 -f description=Sketches -F is_private=false",
    "zulipctl api POST realm/emoji/party --file filename=party.png",
    "zulipctl api DELETE /streams/1 --curl",
  ],
  run: async () => callApi,
});
