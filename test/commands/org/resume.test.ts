/** `org apply --resume`: what is left of a plan may be divided into requests otherwise than the whole was. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { HttpRequest } from "../../../src/world.ts";
import { fresh, zulipctl } from "../../run.ts";
import { changing, channelNamed, dying, filesOf } from "./applying.ts";

const line = ["org", "apply", "organization.yaml", "--journal", "run.jsonl", "--yes"];
const resuming = ["org", "apply", "--yes", "--resume", "run.jsonl"];

/** A server whose n-th change and all later ones get no answer; that one is made. */
function mute(sandbox: Sandbox, at: number) {
  let changes = 0;
  return (async (request: HttpRequest, ...rest: never[]) => {
    const change = request.method !== "GET" && !/\/(register|events)(\?|$)/.test(request.url);
    if (change) changes++;
    if (change && changes > at) return { status: 502, headers: {}, body: [], close: async () => undefined } as never;
    const response = await sandbox.handle(request, ...rest);
    return change && changes === at ? ({ ...response, status: 502, headers: {}, body: [] } as never) : response;
  }) as Sandbox["handle"];
}

type Server = typeof dying;

async function brokenOff(text: string, sandbox: Sandbox, at: number, server: Server = dying) {
  const files = filesOf(text);
  const broken = await zulipctl(line, { sandbox, files, http: server(sandbox, at) });
  return { broken, files };
}

const inForce = (changes: string, besides = "") => ({
  code: 0,
  err: `zulipctl: ${changes} done\nzulipctl: verified: everything is applied\n${besides}`,
});

/** Breaks off after each number of changes, and goes on with it to the end. */
async function everywhere(text: string, requests: number, changes: string, besides = "") {
  for (const server of [dying, mute])
    for (let at = 1; at < requests; at++) {
      const sandbox = fresh();
      const { files, broken } = await brokenOff(text, sandbox, at, server);
      expect(broken.code, `${server.name} after ${at}`).not.toBe(0);
      const { code, err } = await zulipctl(resuming, { sandbox, files });
      expect({ code, err }, `${server.name} after ${at}`).toEqual(inForce(changes, besides));
      const again = await zulipctl(resuming, { sandbox, files });
      expect({ code: again.code, changes: changing(again.sent) }, "once more").toEqual({ code: 0, changes: [] });
    }
}

describe("long lists, which go in portions", () => {
  const portion = 500;

  function crowd() {
    const sandbox = fresh({ users: 1300 });
    const design = channelNamed(sandbox.state, "design");
    const people = [...sandbox.state.users.values()]
      .filter((each) => each.is_active && each.bot_type === null && each.role === 400)
      .filter((each) => !design.subscribers.has(each.user_id))
      .slice(0, 1100);
    const add = people.map((each) => each.delivery_email).join(", ");
    const asked = (sent: readonly HttpRequest[]) =>
      sent.flatMap(({ method, url, body }) =>
        method === "POST" && url.endsWith("/subscriptions")
          ? [(JSON.parse(new URLSearchParams(String(body)).get("principals")!) as number[]).length]
          : [],
      );
    return { sandbox, design, people, asked, text: `channels: [{ name: design, subscribers: { add: [${add}] } }]` };
  }

  test.each([
    ["done", dying, 1],
    ["done without an answer", mute, 1],
    ["done, the second without an answer", mute, 2],
  ] as const)("the first is %s: the others are sent, and nobody is sent twice", async (_, server, at) => {
    const { sandbox, design, people, asked, text } = crowd();
    const { files } = await brokenOff(text, sandbox, at, server);
    expect(people.filter(({ user_id }) => design.subscribers.has(user_id))).toHaveLength(at * portion);
    const { code, err, sent } = await zulipctl(resuming, { sandbox, files });
    expect({ code, err, asked: asked(sent) }).toEqual({
      ...inForce("1 of 1 change"),
      asked: [500, 100].slice(at - 1),
    });
    expect(people.every(({ user_id }) => design.subscribers.has(user_id))).toBe(true);
  });

  test("broken off again and again, each run does what is left", async () => {
    const { sandbox, design, people, asked, text } = crowd();
    const { files } = await brokenOff(text, sandbox, 1);
    const second = await zulipctl(resuming, { sandbox, files, http: dying(sandbox, 1) });
    expect(second.code).not.toBe(0);
    const third = await zulipctl(resuming, { sandbox, files });
    expect({ code: third.code, err: third.err, asked: asked(third.sent) }).toEqual({
      ...inForce("1 of 1 change"),
      asked: [100],
    });
    expect(people.every(({ user_id }) => design.subscribers.has(user_id))).toBe(true);
  });

  test("somebody of a portion without an answer is there by now: what is left of it and the others are sent", async () => {
    const { sandbox, design, people, text } = crowd();
    const { files } = await brokenOff(text, sandbox, 0);
    for (const { user_id } of people.slice(0, 3)) design.subscribers.add(user_id);
    const { code, err } = await zulipctl(resuming, { sandbox, files });
    expect({ code, err }).toEqual(inForce("1 of 1 change"));
    expect(people.every(({ user_id }) => design.subscribers.has(user_id))).toBe(true);
  });
});

test("what a circle had divided is not divided when the circle is gone", async () => {
  const text = `organization: https://chat.example
groups: [{ id: 17, name: old designers, can_mention_group: designers }, { name: designers, members: [] }]`;
  await everywhere(text, 3, "2 of 2 changes");
});

test("whoever came back is added like others", async () => {
  const text = `people: [{ email: dora@sandbox.example, active: true }]
groups: [{ name: designers, description: new, members: { add: [dora@sandbox.example, otis@sandbox.example, iris@sandbox.example] } }]`;
  const besides = "zulipctl: people were reactivated and appear again in lists and permissions: plan again\n";
  await everywhere(text, 4, "2 of 2 changes", besides);
});

test("what an earlier run has done and is as before again is done once more", async () => {
  const sandbox = fresh();
  const files = filesOf("channels: [{ name: design, description: Sketches }]");
  const design = channelNamed(sandbox.state, "design");
  const { description } = design;
  await zulipctl(line, { sandbox, files });
  expect(design.description).toBe("Sketches");
  design.description = description;
  const { code, err } = await zulipctl(resuming, { sandbox, files });
  expect({ code, err, is: design.description }).toEqual({ ...inForce("1 of 1 change"), is: "Sketches" });
});
