/** What a run would send: the engine runs with a carrier that sends nothing and takes everything for done. */
import type { Server } from "../client/server.ts";
import type { Carrier, Sendable } from "../engine/carrier.ts";
import { type Earlier, Engine, type Options } from "../engine/engine.ts";
import type { Row } from "../engine/window.ts";
import { type Shown, show } from "../shell/context.ts";
import type { Finds } from "../shell/find.ts";

/** The requests in the order in which one after the other they would go. */
export async function* requestsOf(
  { server, find }: { server: Server; find: Pick<Finds, "called"> },
  rows: AsyncIterable<Row>,
  {
    clock,
    signals,
    merge,
    earlier,
    retryUnknown,
  }: Pick<Options, "clock" | "signals" | "merge" | "retryUnknown"> & { earlier?: Earlier },
): AsyncGenerator<Shown> {
  const waiting: Sendable[] = [];
  const carrier: Carrier = {
    async send(request, attempts) {
      await attempts?.leaving();
      waiting.push(request);
      // As much of an answer as merged drafts take apart.
      return { outcome: "done", answer: { ids: [] }, ignored: [] };
    },
    read: async () => ({}),
  };
  const engine = new Engine(carrier, { clock, signals, merge, earlier, retryUnknown });
  const shown = async function* () {
    for (const { operation, args } of waiting.splice(0)) yield await show(server, operation, args as never, find);
  };
  for await (const _ of engine.run(rows)) yield* shown();
  yield* shown();
}
