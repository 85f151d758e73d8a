/** What a run would send: the engine runs with a transport that sends nothing and takes everything for done. */
import type { Server } from "../client/server.ts";
import { Engine, type Options } from "../engine/engine.ts";
import type { ChangeRow } from "../engine/task.ts";
import type { Sendable, Transport } from "../engine/transport.ts";
import type { ShownRequest } from "../output/report.ts";
import type { Resolves } from "../resolve/resolver.ts";
import { showRequest } from "../run/context.ts";

/** The same, and a note where there is none. */
export async function* orNote<T>(all: AsyncIterable<T>, note: () => Promise<void>): AsyncGenerator<T> {
  let some = false;
  for await (const each of all) {
    some = true;
    yield each;
  }
  if (!some) await note();
}

/** The requests in the order in which one after the other they would go. */
export async function* requestsOf(
  { server, find }: { server: Server; find: Pick<Resolves, "called"> },
  rows: readonly ChangeRow[],
  options: Pick<Options, "clock" | "signals" | "merge" | "retryUnknown" | "earlier">,
): AsyncGenerator<ShownRequest> {
  const sent: Sendable[] = [];
  const transport: Transport = {
    async send(request, attempts) {
      await attempts?.leaving();
      sent.push(request);
      // As much of an answer as merged drafts take apart.
      return { outcome: "done", answer: { ids: [] }, ignored: [] };
    },
    read: async () => ({}),
  };
  const engine = new Engine(transport, options);
  for await (const _ of engine.run(rows));
  for (const request of sent) yield await showRequest(server, request, find);
}
