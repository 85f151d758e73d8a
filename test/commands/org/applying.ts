/** Helpers for tests that apply files. */
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { HttpRequest } from "../../../src/world/world.ts";

export const filesOf = (text: string) => new Map([["organization.yaml", text]]);

const isChange = ({ method, url }: HttpRequest): boolean => method !== "GET" && !/\/(register|events)(\?|$)/.test(url);

/** Returns the requests that change something, such as `POST /realm/filters`. */
export const changesOf = (sent: readonly HttpRequest[]): string[] =>
  sent.filter(isChange).map(({ method, url }) => `${method} ${new URL(url).pathname.replace("/api/v1", "")}`);

export const channelNamed = ({ channels }: Sandbox["state"], name: string) =>
  [...channels.values()].find((channel) => channel.name === name)!;

/** A server that answers 502 to all changes after the first `count`, and does not apply them. */
export function stopsAnswering(sandbox: Sandbox, count: number) {
  let changes = 0;
  return (async (request: HttpRequest, ...rest: never[]) => {
    if (isChange(request) && ++changes > count)
      return { status: 502, headers: {}, body: [], close: async () => undefined } as never;
    return sandbox.handle(request, ...rest);
  }) as Sandbox["handle"];
}
