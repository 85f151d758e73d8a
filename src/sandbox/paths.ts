/**
 * The paths of a real server, and their methods in the server's order.
 * Most follow from routes. `specialMethods` has what the sandbox does not implement, or the server orders differently.
 */
import { groupBy } from "../common/group-by.ts";
import { InternalError, PageError } from "./answers.ts";
import { readMultipart, type UploadedFile } from "./multipart.ts";
import type { Route } from "./router.ts";
import { routes } from "./routes.ts";

const specialMethods: Readonly<Record<string, readonly string[]>> = {
  "/users/me/subscriptions": ["GET", "POST", "PATCH", "DELETE"],
  "/user_groups/{user_group_id}/subgroups": ["POST", "GET"],
  "/realm/filters/{filter_id}": ["DELETE", "PATCH"],
  "/realm/profile_fields": ["GET", "PATCH", "POST"],
  "/export/realm": ["POST", "GET"],
  "/messages": ["GET", "POST"],
  "/messages/{message_id}": ["GET", "PATCH", "DELETE"],
  "/settings": ["PATCH"],
};

/** Patterns of path parameters that are text. All others are numbers. */
const textPatterns: Readonly<Record<string, string>> = {
  email: "[^/]+",
  user_id_or_email: "[^/]+",
  domain: "[^/]+",
  emoji_name: ".+",
  path_id: "[^/]+/.+",
};
/** The server's framework rejects longer numbers. */
const number = "[0-9]{1,4300}";

const captureGroup = (_: string, name: string): string => `(?<${name}>${textPatterns[name] ?? number})`;

/** Routes by the path that they declare. */
const routesByPath = groupBy(routes, ({ operation }) => operation.path);

/** Returns the routes of a declared path. */
export const routesAt = (path: string): readonly Route[] => routesByPath.get(path) ?? [];

const paths = [...new Set([...routesByPath.keys(), ...Object.keys(specialMethods)])];
const hasParameters = (path: string): boolean => path.includes("{");
const plainPaths = new Set(paths.filter((path) => !hasParameters(path)));

/** The paths with parameters, those with the fewest first. */
const patterns = paths
  .filter(hasParameters)
  .sort((a, b) => a.split("{").length - b.split("{").length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, captureGroup)}$`) }));

/** The levels that removed methods. */
const removedAt: Readonly<Record<string, number>> = { "PATCH /users/me/subscriptions": 512 };

const order = ["GET", "POST", "PATCH", "DELETE"];

function methodsOf(path: string, level: number): readonly string[] {
  const pathRoutes = routesAt(path);
  const laterMethods = pathRoutes
    .filter(({ operation }) => level < (operation.since ?? 0))
    .map(({ operation }) => operation.method);
  const all =
    specialMethods[path] ?? order.filter((method) => pathRoutes.some(({ operation }) => operation.method === method));
  return all.filter(
    (method) => !laterMethods.some((each) => each === method) && level < (removedAt[`${method} ${path}`] ?? Infinity),
  );
}

export interface Endpoint {
  /** As declared: `/streams/{stream_id}`. */
  path: string;
  methods: readonly string[];
  /** Path parameters by name: numbers or texts. */
  pathParameters: Record<string, number | string>;
}

/** Finds a decoded path on a server of this level. */
export function findEndpoint(path: string, level: number): Endpoint | undefined {
  const plain = plainPaths.has(path) ? methodsOf(path, level) : [];
  if (plain.length > 0) return { path, methods: plain, pathParameters: {} };
  for (const { path: declared, pattern } of patterns) {
    const match = pattern.exec(path);
    const methods = match ? methodsOf(declared, level) : [];
    if (!match || methods.length === 0) continue;
    const parameters = Object.entries(match.groups ?? {}).map(([name, text]) => [
      name,
      Object.hasOwn(textPatterns, name) ? text : Number(text),
    ]);
    return { path: declared, methods, pathParameters: Object.fromEntries(parameters) };
  }
  return undefined;
}

export interface ReceivedForm {
  /** The effective value of each parameter. */
  values: Map<string, string>;
  /** Names of parameters in the query, and in a body that was read. */
  query: Set<string>;
  body: Set<string>;
  files: readonly UploadedFile[];
}

const maxParameters = 1000;

const boundaryOf = (type: string): string | undefined => /boundary="?([^";]+)"?/i.exec(type)?.[1]?.trim();

/**
 * Reads the query of any method and the body of those that have one; a name in both takes the body's value.
 * Throws where the server never gets as far as checking the parameters.
 */
export function readForm(method: string, query: string, headers: Record<string, string>, body: string): ReceivedForm {
  const queryParameters = [...new URLSearchParams(query)];
  const type = headers["content-type"] ?? "";
  let bodyParameters: [string, string][] = [];
  let files: ReceivedForm["files"] = [];
  if (method !== "GET" && method !== "HEAD") {
    if (/^\s*application\/x-www-form-urlencoded/i.test(type)) bodyParameters = [...new URLSearchParams(body)];
    else if (/^\s*multipart\/form-data/i.test(type)) {
      const boundary = boundaryOf(type);
      // The framework reads the body of a POST earlier than other bodies, so the same error has another answer.
      if (boundary === undefined) throw method === "POST" ? new PageError(400, "Bad Request") : new InternalError();
      const read = readMultipart(body, boundary);
      bodyParameters = read.fields;
      files = [...read.files.values()];
    }
  }
  if (Math.max(queryParameters.length, bodyParameters.length) > maxParameters) {
    throw method === "POST" || method === "GET" ? new PageError(400, "Bad Request") : new InternalError();
  }
  return {
    values: new Map([...queryParameters, ...bodyParameters]),
    query: new Set(queryParameters.map(([name]) => name)),
    body: new Set(bodyParameters.map(([name]) => name)),
    files,
  };
}
