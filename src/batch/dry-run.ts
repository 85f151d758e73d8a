/** Shows the requests of a run: the engine runs with a transport that sends nothing and answers success. */
import type { Server } from "../client/server.ts";
import { Engine } from "../engine/engine.ts";
import type { EngineOptions } from "../engine/engine-options.ts";
import type { ChangeRow } from "../engine/task.ts";
import type { Sendable, Transport } from "../engine/transport.ts";
import type { ShownRequest } from "../output/shown-requests.ts";
import type { IdNames } from "../resolve/look-ups.ts";
import { showRequest } from "../run/context.ts";

/** Returns the requests in order. Calls `none` if there are none. */
export async function* requestsOf(
  { server, names }: { server: Server; names: IdNames },
  rows: readonly ChangeRow[],
  options: Pick<EngineOptions, "clock" | "signals" | "merge" | "retryUnknown" | "replay">,
  none: () => Promise<void>,
): AsyncGenerator<ShownRequest> {
  const sent: Sendable[] = [];
  const transport: Transport = {
    async send(request, attempts) {
      await attempts?.beforeSend();
      sent.push(request);
      // The part of an answer that splitting merged drafts needs.
      return { outcome: "done", answer: { ids: [] }, ignored: [] };
    },
    read: async () => ({}),
  };
  const engine = new Engine(transport, options);
  for await (const _ of engine.run(rows));
  if (!sent.length) await none();
  for (const request of sent) yield await showRequest(server, request, names);
}
