import { expect, test } from "vitest";
import { respond } from "../../src/sandbox/answers.ts";
import type { Passing } from "../../src/sandbox/index.ts";
import { ask, named, sandboxOf } from "./asking.ts";

test("a disturbance sees which operation passes, and decides whether the server ever does", async () => {
  const seen: (string | undefined)[] = [];
  const sandbox = sandboxOf({
    disturb: async ({ operation }: Passing) => {
      seen.push(operation);
      return respond({ status: 502, headers: { "content-type": "text/html" }, text: "<html>" });
    },
  });
  const channel = named(sandbox.state.channels, "design");
  const form = { description: "changed" };
  const { status } = await ask(sandbox, "PATCH", `/streams/${channel.stream_id}`, { as: "iris", form });
  await ask(sandbox, "GET", "/nothing");
  expect([status, channel.description, seen]).toEqual([502, "Sketches and **drafts**", ["channel.update", undefined]]);
});
