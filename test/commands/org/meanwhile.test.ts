/** `org apply` while others change things: after a run was broken off, and while its changes go. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../../run.ts";
import { changing, channelNamed, dying, filesOf, meddling } from "./applying.ts";

const words = ["org", "apply", "--yes", "organization.yaml"];
const inForce = "verified: everything is applied";

const named = <T extends { name: string }>(all: ReadonlyMap<unknown, T>, name: string): T | undefined =>
  [...all.values()].find((each) => each.name === name);

/** Applies a file to a server that falls silent after so many changes, and goes on with the run once `work` was done. */
async function brokenOff(
  text: string,
  { at, sandbox = fresh() }: { at: number; sandbox?: Sandbox },
  work: (state: Sandbox["state"]) => void,
) {
  const files = filesOf(text);
  const line = [...words, "--journal", "run.jsonl", "--yes"];
  await zulipctl(line, { sandbox, files, http: dying(sandbox, at) });
  work(sandbox.state);
  const resumed = await zulipctl(["org", "apply", "--yes", "--resume", "run.jsonl"], { sandbox, files });
  return { ...resumed, sandbox };
}

/** A file by which somebody is subscribed to a channel that is there. */
function subscribing({ state }: Sandbox): Map<string, string> {
  const { subscribers } = channelNamed(state, "design");
  const other = [...state.users.values()].find(
    (user) => user.is_active && user.bot_type === null && !subscribers.has(user.user_id),
  )!;
  return filesOf(`channels: [{ name: design, subscribers: { add: [${other.delivery_email}] } }]`);
}

test("a channel that gets another name after the second read is not made anew by subscribing people to it", async () => {
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

test("what a run has made, and somebody else has changed since, is left as it is", async () => {
  const text = "folders: [{ name: Work, description: What we do }, { name: Play, description: What we like }]";
  const { code, err, sandbox, sent } = await brokenOff(text, { at: 1 }, ({ folders }) => {
    named(folders, "Work")!.name = "Labour";
  });
  expect({ code, told: err.includes("not applied: folder Work") }).toEqual({ code: 5, told: true });
  expect(changing(sent)).toEqual(["POST /channel_folders/create"]);
  expect(named(sandbox.state.folders, "Labour")).toBeDefined();
});

test("whoever has left a group that a run has made is not put back", async () => {
  const text =
    "groups: [{ name: crew, description: All, members: [otis@sandbox.example] }, { name: inner, description: x }]";
  const { code, sandbox, sent } = await brokenOff(text, { at: 1 }, ({ groups }) => {
    named(groups, "crew")!.members.clear();
  });
  expect({ code, sent: changing(sent) }).toEqual({ code: 0, sent: ["POST /user_groups/create"] });
  expect(named(sandbox.state.groups, "crew")!.members.size).toBe(0);
});

test("what names a thing that was made and is gone again is not sent", async () => {
  const text = `
linkifiers:
  - { pattern: "A(?P<n>[0-9]+)", url_template: "https://a.example/{n}" }
  - { pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/issues/{id}" }
`;
  const { code, err, sent } = await brokenOff(text, { at: 1 }, ({ linkifiers }) => {
    const made = linkifiers.findIndex(({ pattern }) => pattern.startsWith("A"));
    expect(linkifiers.splice(made, 1)).toMatchObject([{ url_template: "https://a.example/{n}" }]);
  });
  expect({ code, sent: changing(sent) }).toEqual({ code: 7, sent: [] });
  expect(err).toContain("not applied: linkifier A(?P<n>[0-9]+), order of linkifiers");
});

test("a name that was given for a while is the run's own", async () => {
  const sandbox = fresh();
  const [design, council] = [channelNamed(sandbox.state, "design"), channelNamed(sandbox.state, "council")];
  const text = `
organization: https://chat.example
channels:
  - { id: ${design.stream_id}, name: council }
  - { id: ${council.stream_id}, name: design }
`;
  const { code, sandbox: after } = await brokenOff(text, { at: 1, sandbox }, ({ channels }) => {
    expect([...channels.values()].filter(({ name }) => name.startsWith("zulipctl renames"))).toHaveLength(1);
  });
  expect(code).toBe(0);
  expect(after.state.channels.get(design.stream_id)!.name).toBe("council");
  expect(after.state.channels.get(council.stream_id)!.name).toBe("design");
});

const playground = (url: string) =>
  `playgrounds: [{ name: Try, pygments_language: Rust, url_template: "https://${url}.example/{code}" }]`;

test("a playground that is changed, which takes removing it, is in force, also where a run ended in between", async () => {
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

test("a playground that somebody else removes meanwhile is not made again", async () => {
  const sandbox = fresh();
  await zulipctl(words, { sandbox, files: filesOf(playground("a")) });
  const touched = meddling(sandbox, 2, (state) => {
    state.playgrounds.length = 0;
  });
  const { code, sent } = await zulipctl([...words, "--yes"], { ...touched, files: filesOf(playground("b")) });
  expect({ code, sent: changing(sent) }).toEqual({ code: 6, sent: [] });
});

test("what is made anew may have the name that another gives up", async () => {
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

test("a permission of the organization for a group that the plan makes is told to be in force", async () => {
  const text =
    "settings: { can_create_groups: crew }\ngroups: [{ name: crew, description: All, members: [iris@sandbox.example] }]";
  const { code, err } = await zulipctl([...words, "--yes"], { files: filesOf(text) });
  expect({ code, whole: err.includes(inForce) }).toEqual({ code: 0, whole: true });
});

test("a guard that stands by the second read stops everything", async () => {
  const sandbox = fresh();
  const group = named(sandbox.state.groups, "designers")!;
  for (const id of [9, 10, 11]) group.members.add(id);
  const [first, ...others] = [...group.members].map((id) => sandbox.state.users.get(id)!);
  const touched = meddling(sandbox, 2, () => group.members.delete(first!.user_id));
  const gone = others.map(({ delivery_email }) => delivery_email).join(", ");
  expect(others.length).toBeGreaterThan(1);
  const text = `groups: [{ name: designers, members: { remove: [${gone}] } }]`;
  const { code, err, sent } = await zulipctl([...words, "--yes"], { ...touched, files: filesOf(text) });
  expect({ code, sent: changing(sent) }).toEqual({ code: 2, sent: [] });
  expect(err).toContain("all members of group designers would be removed");
});

test("a channel is not left empty where nobody of its new subscribers could come", async () => {
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
