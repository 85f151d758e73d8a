/** The requests of a plan. Ids that no answer has told yet stand by what they will be of. */
import type { Server } from "../../../client/server.ts";
import { withIds } from "../../../engine/provisional-ids.ts";
import type { Step } from "../../../organization/order.ts";
import type { ShownRequest } from "../../../output/report.ts";
import { type Requests, requests, showRequest } from "../../../run/context.ts";

/** As a path or a form has it. */
const encoded = (text: string): string[] => [
  encodeURIComponent(text),
  new URLSearchParams([["", text]]).toString().slice(1),
];

export async function shownSteps(server: Server, steps: readonly Step[]): Promise<Requests> {
  const ids = new Map<number, string>();
  const shown: ShownRequest[] = [];
  for (const { change } of steps) {
    const request = await showRequest(server, { ...change, ...withIds(change, ids) });
    const plain = (text: string) =>
      [...ids.values()].reduce((all, id) => encoded(id).reduce((some, each) => some.replaceAll(each, id), all), text);
    shown.push({
      ...request,
      url: plain(request.url),
      ...(request.body !== undefined && { body: plain(request.body) }),
    });
    if (change.makes !== undefined) ids.set(change.makes, `<id of ${change.target}>`);
  }
  return requests(shown);
}
