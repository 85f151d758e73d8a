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

test("a disturbance makes the server ignore a parameter, which is reported and not applied", async () => {
  const sandbox = sandboxOf({ disturb: async ({ serve }) => respond(serve((name) => name === "description")) });
  const channel = named(sandbox.state.channels, "design");
  const form = { description: "changed", new_name: "drawing" };
  const { body } = await ask(sandbox, "PATCH", `/streams/${channel.stream_id}`, { as: "iris", form });
  expect(body).toEqual({ result: "success", msg: "", ignored_parameters_unsupported: ["description"] });
  expect([channel.name, channel.description]).toEqual(["drawing", "Sketches and **drafts**"]);
});
