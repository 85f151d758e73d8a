/** Organizations in memory to which files are applied while something goes wrong. */
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { HttpRequest } from "../../../src/world.ts";

export const filesOf = (text: string, name = "organization.yaml") => new Map([[name, text]]);

/** What was sent but for reads, `POST /realm/filters`. */
export const changing = (sent: readonly HttpRequest[]): string[] =>
  sent
    .filter(({ method, url }) => method !== "GET" && !/\/(register|events)(\?|$)/.test(url))
    .map(({ method, url }) => `${method} ${new URL(url).pathname.replace("/api/v1", "")}`);

/** Calls `work` before the n-th question for the whole organization is answered: 2 is the one right before the first change. */
export function meddling(sandbox: Sandbox, at: number, work: (state: Sandbox["state"]) => void) {
  let asked = 0;
  return {
    sandbox,
    http: (async (request: HttpRequest, ...rest: never[]) => {
      if (request.url.endsWith("/register") && ++asked === at) work(sandbox.state);
      return sandbox.handle(request, ...rest);
    }) as Sandbox["handle"],
  };
}

export const channelNamed = ({ channels }: Sandbox["state"], name: string) =>
  [...channels.values()].find((channel) => channel.name === name)!;

/** What `org apply` says to do next, as words to be typed: `Go on with`, `Check with`. */
export function hinted(text: string, what: string): string[] {
  const line = new RegExp(`${what}: zulipctl ([^\\n"]*?)(?:\\. (?:Go on|Resume) with|[\\n"]|$)`).exec(text)?.[1];
  if (line === undefined) throw new Error(`there is no "${what}" in ${text}`);
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

/** A server that falls silent after so many changes, for good; what it was asked for then it may have done still. */
export function dying(sandbox: Sandbox, at: number, { last = "lost" as "lost" | "done" } = {}) {
  let changes = 0;
  return (async (request: HttpRequest, ...rest: never[]) => {
    const change = request.method !== "GET" && !/\/(register|events)(\?|$)/.test(request.url);
    if (change) changes++;
    if (change && changes === at + 1 && last === "done") await sandbox.handle(request, ...rest);
    if (change && changes > at) return { status: 502, headers: {}, body: [], close: async () => undefined } as never;
    return sandbox.handle(request, ...rest);
  }) as Sandbox["handle"];
}
