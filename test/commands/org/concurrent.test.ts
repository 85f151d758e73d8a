/** `org apply` while others change things: after a run was broken off, and while its changes go. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../../run.ts";
import { changing, channelNamed, dying, filesOf, meddling } from "./applying.ts";

const words = ["org", "apply", "--yes", "organization.yaml"];
const inForce = "verified: everything is applied";

/** Applies a file to a server that falls silent after so many changes, and again once `work` was done. */
async function brokenOff(
  text: string,
  { at, sandbox = fresh() }: { at: number; sandbox?: Sandbox },
  work: (state: Sandbox["state"]) => void,
) {
  const files = filesOf(text);
  await zulipctl(words, { sandbox, files, http: dying(sandbox, at) });
  work(sandbox.state);
  return { ...(await zulipctl(words, { sandbox, files })), sandbox };
}

/** A file by which somebody is subscribed to a channel that is there. */
function subscribing({ state }: Sandbox): Map<string, string> {
  const { subscribers } = channelNamed(state, "design");
  const other = [...state.users.values()].find(
    (user) => user.is_active && user.bot_type === null && !subscribers.has(user.user_id),
  )!;
  return filesOf(`channels: [{ name: design, subscribers: { add: [${other.delivery_email}] } }]`);
}

test("does not create a channel again that somebody renames after the second read", async () => {
  const sandbox = fresh();
  const touched = meddling(sandbox, 2, () => undefined);
  let renamed = false;
  const http: Sandbox["handle"] = async (request, ...rest) => {
    if (request.url.endsWith("/users/me/subscriptions")) {
      channelNamed(sandbox.state, "design").name = "sketches";
      renamed = true;
    }
    return touched.http(request, ...rest);
  };
  const files = subscribing(sandbox);
  const { size } = sandbox.state.channels;
  const { code, err, sent } = await zulipctl(words, { sandbox, http, files });
  expect(renamed).toBe(true);
  expect(changing(sent)).toEqual(["POST /users/me/subscriptions"]);
  expect(sandbox.state.channels.size).toBe(size);
  expect({ code, told: err.includes("not applied: channel design") }).toEqual({ code: 1, told: true });
});

const playground = (url: string) =>
  `playgrounds: [{ name: Try, pygments_language: Rust, url_template: "https://${url}.example/{code}" }]`;

test("applies a changed playground, also after a run that stopped between removing and adding it", async () => {
  const sandbox = fresh();
  await zulipctl(words, { sandbox, files: filesOf(playground("a")) });
  const { code, err } = await zulipctl([...words, "--yes"], { sandbox, files: filesOf(playground("b")) });
  expect({ code, whole: err.includes(inForce) }).toEqual({ code: 0, whole: true });
  const again = await brokenOff(playground("c"), { at: 1, sandbox }, ({ playgrounds }) => {
    expect(playgrounds.some(({ name }) => name === "Try")).toBe(false);
  });
  expect(again.code).toBe(0);
  const made = sandbox.state.playgrounds.filter(({ name }) => name === "Try");
  expect(made.map(({ url_template }) => url_template)).toEqual(["https://c.example/{code}"]);
});

test("does not add a playground that somebody else removes meanwhile", async () => {
  const sandbox = fresh();
  await zulipctl(words, { sandbox, files: filesOf(playground("a")) });
  const touched = meddling(sandbox, 2, (state) => {
    state.playgrounds.length = 0;
  });
  const { code, sent } = await zulipctl([...words, "--yes"], { ...touched, files: filesOf(playground("b")) });
  expect({ code, sent: changing(sent) }).toEqual({ code: 6, sent: [] });
});

test("creates a thing with a name that another gives up", async () => {
  const sandbox = fresh();
  const { stream_id } = channelNamed(sandbox.state, "design");
  const text = `
organization: https://chat.example
channels:
  - { id: ${stream_id}, name: sketches }
  - { name: design, description: Another }
`;
  const { code, err } = await zulipctl(words, { sandbox, files: filesOf(text) });
  expect({ code, whole: err.includes(inForce) }).toEqual({ code: 0, whole: true });
  expect(channelNamed(sandbox.state, "sketches").stream_id).toBe(stream_id);
  expect(channelNamed(sandbox.state, "design").description).toBe("Another");
});

test("reports an organization permission for a new group as applied", async () => {
  const text =
    "settings: { can_create_groups: crew }\ngroups: [{ name: crew, description: All, members: [iris@sandbox.example] }]";
  const { code, err } = await zulipctl([...words, "--yes"], { files: filesOf(text) });
  expect({ code, whole: err.includes(inForce) }).toEqual({ code: 0, whole: true });
});

test("evaluates guards again after the second read", async () => {
  const sandbox = fresh();
  const owners = [...sandbox.state.users.values()].filter(({ role, is_active }) => role === 100 && is_active);
  const other = [...sandbox.state.users.values()].find(({ user_id }) => user_id === 10)!;
  other.role = 100;
  const touched = meddling(sandbox, 2, () => {
    other.role = 400;
  });
  expect(owners).toHaveLength(1);
  const text = `people: [{ email: ${owners[0]!.delivery_email}, role: member }]`;
  const flags = ["--yes", "--allow-lockout"];
  const { code, err, sent } = await zulipctl([...words, ...flags], { ...touched, files: filesOf(text) });
  expect({ code, sent: changing(sent) }).toEqual({ code: 2, sent: [] });
  expect(err).toContain("the organization would have no owner");
});

test("keeps subscribers of a channel if adding the new ones failed", async () => {
  const sandbox = fresh();
  const { state } = sandbox;
  const design = channelNamed(state, "design");
  const before = design.subscribers.size;
  const other = [...state.users.values()].find(
    (user) => user.is_active && user.bot_type === null && !design.subscribers.has(user.user_id),
  )!;
  let asked = 0;
  const http: Sandbox["handle"] = async (request, ...rest) => {
    // Deactivated after the second read: the server refuses to subscribe such people.
    if (request.url.endsWith("/register") && ++asked === 2) {
      const answer = await sandbox.handle(request, ...rest);
      other.is_active = false;
      return answer;
    }
    return sandbox.handle(request, ...rest);
  };
  const text = `channels: [{ name: design, subscribers: [${other.delivery_email}] }]`;
  const { code, sent } = await zulipctl([...words, "--yes"], { sandbox, http, files: filesOf(text) });
  expect({ code, sent: changing(sent) }).toEqual({ code: 1, sent: ["POST /users/me/subscriptions"] });
  expect(design.subscribers.size).toBe(before);
});

test.each([
  ["ev-secret", [9]],
  ["ev-ſecret", [8, 9]],
])("a channel %j that was there after all below level 417 keeps those who are in it", async (name, there) => {
  const sandbox = fresh({ level: 416 });
  const { channels } = sandbox.state;
  const http: typeof sandbox.handle = (request, ...rest) => {
    if (request.method === "POST" && request.url.endsWith("/subscriptions") && !channels.has(8))
      channels.set(8, { ...channels.get(1)!, stream_id: 8, name, subscribers: new Set(there) });
    return sandbox.handle(request, ...rest);
  };
  const files = filesOf("channels: [{ name: ev-ſecret, subscribers: [], description: x }]\n");
  const { code, err, sent } = await zulipctl(["org", "apply", "organization.yaml", "--yes"], { sandbox, http, files });
  expect(code).toBe(5);
  expect(err).toContain(`channel "${name}" existed already: nothing was created`);
  expect(changing(sent)).toEqual(["POST /users/me/subscriptions"]);
  expect([...channels.get(8)!.subscribers]).toEqual([...new Set([...there, 8])]);
});
