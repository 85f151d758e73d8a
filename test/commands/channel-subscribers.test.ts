import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

type Sandbox = ReturnType<typeof fresh>;
const subscribers = ({ state }: Sandbox) => [...state.channels.get(1)!.subscribers].sort((a, b) => a - b);

test("channel subscribers adds more than 500 people in several requests", async () => {
  const sandbox = fresh({ users: 1200 });
  const people = [...sandbox.state.users.keys()].slice(-1200);
  const files = new Map([["people", people.join("\n")]]);
  const { code, out, sent } = await zulipctl(["channel", "subscribers", "1", "--add", "@people"], { sandbox, files });
  const sizes = sent.flatMap(({ body }) =>
    body ? JSON.parse(new URLSearchParams(body).get("principals")!).length : [],
  );
  expect({ code, sizes }).toEqual({ code: 0, sizes: [500, 500, 200] });
  expect(out.split("\n").slice(0, -1)).toHaveLength(3);
  expect(subscribers(sandbox)).toHaveLength(4 + 1200);
});

test("org apply removes no subscriber if an addition is refused", async () => {
  const sandbox = fresh();
  const before = subscribers(sandbox);
  // One of the added people is unknown by then.
  const http: Sandbox["handle"] = (request, ...rest) =>
    sandbox.handle({ ...request, body: request.body?.replace("principals=%5B9", "principals=%5B9999%2C9") }, ...rest);
  const files = new Map([["o.yaml", "channels: [{ name: design, subscribers: [adam@sandbox.example] }]\n"]]);
  const words = ["org", "apply", "o.yaml", "--yes", "--max-removals", "50"];
  const { code, out, sent } = await zulipctl(words, { sandbox, files, http });
  const methods = sent.filter(({ url }) => url.endsWith("/users/me/subscriptions")).map(({ method }) => method);
  expect({ code, methods, left: subscribers(sandbox) }).toEqual({ code: 1, methods: ["POST"], left: before });
  expect(out).toContain("it needs an earlier change of channel design, which was refused");
});
