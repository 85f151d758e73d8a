/** Undo leaves alone what is like the run's own, but was made by somebody else, or later. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh } from "../run.ts";
import { pictures } from "../sandbox/pictures.ts";
import { answer, testWorld } from "../world.ts";

/** Machines of several people, each with a log of its own, at one server. */
function organization() {
  const sandbox = fresh();
  const { state } = sandbox;
  const machine = (who = "iris@sandbox.example") => {
    const files = new Map([["party.png", pictures.png]]);
    const logs = new Map<string, string>();
    return async (words: string, input = "") => {
      const world = testWorld({ http: sandbox.handle, env: credentials(sandbox, who), files, logs, input });
      const code = await main([...words.split(" "), "--yes"], world);
      return { code, err: world.stderr.text };
    };
  };
  const emoji = () => [...state.emoji.values()].filter(({ deactivated }) => !deactivated).length;
  const invited = () => state.invitations.flatMap(({ id, revoked }) => (revoked ? [] : id));
  return { state, machine, invited, emoji };
}

const invite = "invite add x@x.example --channel general";
const rest = "may be another invitation; revoke it with: zulipctl invite rm email:";

test("undo does not revoke a later invitation of the same machine", async () => {
  const { machine, invited } = organization();
  const run = machine();
  for (const words of [invite, "invite rm email:1", invite]) expect((await run(words)).code).toBe(0);
  const { code, err } = await run("undo 20260115-1");
  expect([code, invited()]).toEqual([6, [2]]);
  expect(err).toContain(`invitation x@x.example: email:2 ${rest}2`);
  expect([(await run("undo 20260115-3")).code, invited()]).toEqual([0, []]);
});

test("undo leaves an invitation that replaced another one", async () => {
  const { machine, invited } = organization();
  const run = machine();
  for (const words of [invite, `${invite} --role guest --replace`]) expect((await run(words)).code).toBe(0);
  const { code, err } = await run("undo");
  expect([code, invited()]).toEqual([1, [2]]);
  expect(err).toContain("it stays: the invitation that it replaced does not come back");
});

test("undo revokes no invitation that the same account made elsewhere, by its id", async () => {
  const { state, machine, invited } = organization();
  const [run, other] = [machine(), machine()];
  await run(invite);
  await other("invite rm email:1");
  expect((await other(invite)).code).toBe(0);
  const { code, err } = await run("undo");
  expect([code, invited()]).toEqual([6, [2]]);
  expect(err).toContain(`invitation x@x.example: email:2 ${rest}2`);
  const [own] = state.invitations;
  if (own) state.invitations.push({ ...own, id: 1, invited: own.invited - 3_600_000 });
  expect([(await run("undo 20260115-1")).code, invited()]).toEqual([0, [2]]);
});

test.each([
  ["of somebody else", "adam@sandbox.example", invite],
  ["with another role", "iris@sandbox.example", `${invite} --role guest`],
])("undo does not revoke a later invitation %s", async (_, who, again) => {
  const { machine, invited } = organization();
  const [run, other] = [machine(), machine(who)];
  await run(invite);
  await other("invite rm email:1");
  expect((await other(again)).code).toBe(0);
  const { code, err } = await run("undo");
  expect([code, invited()]).toEqual([6, [2]]);
  expect(err).toContain("✗ invitation x@x.example: conflict: it is gone: accepted, expired or revoked\n");
});

test("undo does not say that an invitation that was accepted is back", async () => {
  const { state, machine, invited } = organization();
  const run = machine();
  await run("invite add x@x.example,y@x.example");
  state.invitations = state.invitations.filter(({ id }) => id !== 2);
  const { code, err } = await run("undo");
  expect([code, invited()]).toEqual([6, []]);
  expect(err).toContain("✗ invitation y@x.example: conflict: it is gone: accepted, expired or revoked\n");
  // The one that the undo revoked is back.
  const again = await run("undo 20260115-1");
  expect(again.code).toBe(6);
  expect(again.err).toContain("✗ invitation y@x.example: conflict");
});

test("undo revokes the invitation of the run next to others", async () => {
  const { state, machine, invited } = organization();
  const run = machine();
  await run(invite);
  const [own] = state.invitations;
  if (!own) throw new Error("nobody is invited");
  state.invitations.push({ ...own, id: 2, invited_as: 600 }, { ...own, id: 3, invited: own.invited - 3_600_000 });
  expect([(await run("undo")).code, invited()]).toEqual([0, [2, 3]]);
});

test.each([
  ["was sent again", [2], [60 * 60_000]],
  ["was sent twice", [2, 3], [0, 0]],
])("undo leaves an invitation alone that %s", async (_, ids, delays) => {
  const { state, machine, invited } = organization();
  const run = machine();
  await run(invite);
  state.invitations = state.invitations.flatMap((own) =>
    ids.map((id, n) => ({ ...own, id, invited: own.invited + (delays[n] ?? 0) })),
  );
  const { code, err } = await run("undo");
  expect([code, invited()]).toEqual([6, ids]);
  expect(err).toContain(`${ids.map((id) => `email:${id}`).join(" or ")} ${rest}2`);
});

test("undo leaves an emoji that replaced another one", async () => {
  const { machine, emoji } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  expect((await other("emoji add party party.png")).code).toBe(0);
  expect((await run("batch - --format lines", "emoji rm party\nemoji add party party.png\n")).code).toBe(0);
  const { code, err } = await run("undo");
  expect([code, emoji()], err).toEqual([1, 1]);
  expect(err).toContain("it stays: the emoji that it replaced does not come back");
});

test.each([
  ["adam@sandbox.example", "somebody else added an emoji of this name since"],
  ["iris@sandbox.example", "it may be another one of this name; remove it with: zulipctl emoji rm party"],
])("undo does not remove a later emoji of %s", async (who, why) => {
  const { machine, emoji } = organization();
  const [run, other] = [machine(), machine(who)];
  await run("emoji add party party.png");
  await other("emoji rm party");
  expect((await other("emoji add party party.png")).code).toBe(0);
  const { code, err } = await run("undo");
  expect([code, emoji()]).toEqual([6, 1]);
  expect(err).toContain(`emoji party: ${why}`);
});

test("undo leaves an emoji alone if the server does not say who added it", async () => {
  const { state, machine, emoji } = organization();
  const run = machine();
  await run("emoji add party party.png");
  for (const each of state.emoji.values()) Object.assign(each, { author_id: null });
  const { code, err } = await run("undo");
  expect([code, emoji()]).toEqual([6, 1]);
  expect(err).toContain("emoji party: the server does not say who added it");
});

test("undo removes an emoji next to a deactivated one of somebody else", async () => {
  const { machine, emoji } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  for (const words of ["emoji add party party.png", "emoji rm party"]) await other(words);
  await run("emoji add party party.png");
  expect(emoji()).toBe(1);
  expect([(await run("undo")).code, emoji()]).toEqual([0, 0]);
});

test("undo compares each value of a profile alone, and says what is there in words", async () => {
  const { machine } = organization();
  const run = machine();
  const fields = (...values: string[]) =>
    run(`users update otis@sandbox.example ${values.map((value) => `--profile-field ${value}`).join(" ")}`);
  await fields("Phone=1", "Office=Lisbon", "Mentor=cora@sandbox.example");
  await fields("Phone=2", "Mentor=mona@sandbox.example,adam@sandbox.example");
  const { code, err } = await run("undo 20260115-1");
  expect(code).toBe(6);
  expect(err).toContain(`
~ person Otis Member (otis@sandbox.example)
    profile Office: "Lisbon" → none

✗ person Otis Member (otis@sandbox.example): conflict: profile Phone was changed by run 20260115-2 since: it is "2" now
✗ person Otis Member (otis@sandbox.example): conflict: profile Mentor was changed by run 20260115-2 since: it is Mona Moderator, Adam Admin now
`);
});

test("undo says a permission that was changed since in words", async () => {
  const { machine } = organization();
  const run = machine();
  for (const group of ["moderators", "administrators"])
    await run(`channel update design --can-send-message-group role:${group}`);
  const { code, err } = await run("undo 20260115-1");
  expect(code).toBe(6);
  expect(err).toContain(
    "conflict: can_send_message_group was changed by run 20260115-2 since: it is role:administrators now",
  );
});

test("undo says nothing of a value that the run did not change", async () => {
  const { machine } = organization();
  const run = machine();
  for (const policy of ["inherit", "allow_empty_topic"]) await run(`channel update design --topics-policy ${policy}`);
  const { code, err } = await run("undo 20260115-1");
  expect([code, err]).toEqual([0, "zulipctl: nothing to undo: run 20260115-1 changed nothing\n"]);
});

test("undo sets the sign-in methods that the run changed, and no others", async () => {
  const sandbox = fresh();
  const methods: Record<string, boolean> = { Email: true, GitHub: false, Google: false, LDAP: false };
  const http: Http = async (request) => {
    const called = new URLSearchParams(request.body).get("authentication_methods");
    if (called) {
      Object.assign(methods, JSON.parse(called));
      return answer(200, { result: "success", msg: "" });
    }
    const answered = await sandbox.handle(request);
    if (!request.url.endsWith("/register")) return answered;
    const states = Object.entries(methods).map(([name, enabled]) => [name, { enabled, available: true }]);
    const realm_authentication_methods = Object.fromEntries(states);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answered.body) chunks.push(chunk);
    return answer(200, { ...JSON.parse(Buffer.concat(chunks).toString()), realm_authentication_methods });
  };
  const world = testWorld({ http, env: credentials(sandbox) });
  const run = (...words: string[]) => main([...words, "--yes"], world);
  expect(await run("settings", "update", "authentication_methods=GitHub,Google"), world.stderr.text).toBe(0);
  Object.assign(methods, { Google: false, LDAP: true });
  expect(await run("undo"), world.stderr.text).toBe(0);
  expect(methods).toEqual({ Email: true, GitHub: false, Google: false, LDAP: true });
  expect(world.stderr.text).toContain(`
~ settings
    authentication_methods Email: false → true
    authentication_methods GitHub: true → false
  ! switches off signing in with GitHub
`);
});

/** New people need an address of one of two domains. */
async function restricted() {
  const { state, machine } = organization();
  const run = machine();
  for (const words of [
    "domain add a.example",
    "domain add b.example",
    "settings update emails_restricted_to_domains=true",
  ])
    expect((await run(words)).code).toBe(0);
  return { run, state, settings: state.organization.settings };
}

test("undo restricts addresses to domains again after the last domain is back", async () => {
  const { run, state, settings } = await restricted();
  const present = () => [state.domains.length, settings.emails_restricted_to_domains];
  await run("domain rm a.example");
  expect((await run("undo --dry-run")).err).not.toContain("emails_restricted_to_domains");
  await run("domain rm b.example");
  expect(present()).toEqual([0, false]);
  const { code, err } = await run("undo");
  expect([code, ...present()]).toEqual([0, 1, true]);
  expect(err).toContain(`
+ domain b.example: added again
~ settings
    emails_restricted_to_domains: false → true
`);
  expect([(await run("undo 20260115-6")).code, ...present()]).toEqual([0, 0, false]);
});

test("undo restricts addresses again after a run removed all domains, and not what others switched off", async () => {
  const { run, settings } = await restricted();
  const rows = "domain rm a.example\ndomain rm b.example\n";
  expect((await run("batch - --format lines", rows)).code).toBe(0);
  expect([(await run("undo")).code, settings.emails_restricted_to_domains]).toEqual([0, true]);
  await run("domain rm a.example");
  settings.emails_restricted_to_domains = false;
  expect([(await run("undo")).code, settings.emails_restricted_to_domains]).toEqual([0, false]);
});

test.each([
  ["channel create newc --description a", "channel update newc --new-name taken --description b", "channel taken"],
  ["folder create newf --description a", "folder update newf --new-name taken", "folder taken"],
  ["group create newg --description a --add iris@sandbox.example", "group update newg --description b", "group newg"],
  [
    "group create newg --description a --add iris@sandbox.example --can-manage-group role:owners",
    "group update newg --can-manage-group role:administrators",
    "group newg",
  ],
])("undo leaves alone what was made by %s and changed since", async (make, change, title) => {
  const { machine } = organization();
  const [run, other] = [machine(), machine()];
  expect(await run(make)).toMatchObject({ code: 0 });
  expect(await other(change)).toMatchObject({ code: 0 });
  const { code, err } = await run("undo");
  expect(code, err).toBe(6);
  expect(err).toMatch(new RegExp(`✗ ${title}: conflict: .* (was|were) changed since\n`));
});

test("undo of a reactivation names the bots that the person owns now", async () => {
  const { machine, state } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  await run("users deactivate cora@sandbox.example");
  await run("users reactivate cora@sandbox.example");
  expect(await other("bots create Given --short-name given --owner cora@sandbox.example --print")).toMatchObject({
    code: 0,
  });
  const { code, err } = await run("undo");
  expect(code, err).toBe(0);
  expect(err).toContain("  ! logs them out everywhere\n  ! deactivates their bots: Given\n");
  expect([...state.users.values()].find(({ full_name }) => full_name === "Given")?.is_active).toBe(false);
});

test("undo takes away what the run itself changed, under the name that it has", async () => {
  const { machine, state } = organization();
  const run = machine();
  await run("group create newg --description a --add iris@sandbox.example");
  const [id] = [...state.groups.keys()].slice(-1);
  const lines = [
    `channel create newc --description a`,
    `group update ${id} --description b`,
    `group update ${id} --new-name g2`,
  ];
  expect(await run("batch - --format lines", `${lines.join("\n")}\n`)).toMatchObject({ code: 0 });
  expect(await run("undo")).toMatchObject({ code: 0 });
  expect([...state.channels.values()].find(({ name }) => name === "newc")?.is_archived).toBe(true);
  expect(await run("undo 20260115-1")).toMatchObject({ code: 0 });
  expect(state.groups.get(Number(id))?.deactivated).toBe(true);
});

test("undo takes a group out of its own permissions before it deactivates it, and gives both back", async () => {
  const { machine, state } = organization();
  const run = machine();
  const lines = [
    "group create newg --description a --add iris@sandbox.example",
    "group deactivate newg",
    "group reactivate newg",
    "group update newg --can-manage-group newg",
  ];
  for (const line of lines) expect(await run(line)).toMatchObject({ code: 0 });
  const group = () => [...state.groups.values()].at(-1);
  const settings = { ...group()?.settings };
  const { code, err } = await run("undo 20260115-3");
  expect(code, err).toBe(0);
  expect(err).toContain("taken out of its own can_manage_group before");
  expect(group()).toMatchObject({ name: "newg", deactivated: true });
  expect(await run("undo 20260115-5")).toMatchObject({ code: 0 });
  expect(group()).toMatchObject({ deactivated: false, settings });
});

test("undo revokes the invitation link of the run, and no other", async () => {
  const { state, machine, invited } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  const link = "invite link --channel general";
  await other(link);
  await run(link);
  const { code, err } = await run("undo");
  expect([code, invited()], err).toEqual([0, [1]]);
  expect(err).toContain("- invitation link: revoked\n");
  await run(link);
  await run("invite rm link:3");
  await run(link);
  const later = await run("undo 20260115-3");
  expect([later.code, invited()], later.err).toEqual([6, [1, 4]]);
  expect(later.err).toContain("link:4 may be another invitation; revoke it with: zulipctl invite rm link:4");
  for (const each of state.invitations) each.invited -= 3_600_000;
  expect([(await run("undo 20260115-5")).code, invited()]).toEqual([0, [1]]);
  await run(`${link} --no-record`);
  for (const each of state.invitations) each.invited -= 3_600_000;
  expect([(await run("undo")).code, invited()]).toEqual([6, [1, 5]]);
});

test("undo leaves alone what the server changed beside the run if a later run has set it since", async () => {
  const { state, machine } = organization();
  const run = machine();
  await run("channel archive general");
  await run("channel unarchive general");
  for (const flag of ["--default", "--no-default"]) expect((await run(`channel update general ${flag}`)).code).toBe(0);
  const { code, err } = await run("undo 20260115-1");
  expect(code, err).toBe(6);
  expect(err).toContain("is_default_stream was changed by run 20260115-4 since");
  expect(state.channels.get(2)?.is_default).toBe(false);
});

test("undo twice of a run that added a domain does not remove one that was added since", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine()];
  await run("domain add a.example");
  expect((await run("undo")).code).toBe(0);
  await other("domain add a.example");
  const { code, err } = await run("undo 20260115-1");
  expect(code, err).toBe(6);
  expect(err).toContain("domain a.example: conflict: it was taken back already, and added since");
  expect(state.domains).toHaveLength(1);
});

test("undo of a folder leaves it alone if somebody else has put an archived channel into it", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  await run("folder create Work");
  expect((await other("channel update attic --folder Work")).code).toBe(0);
  const { code, err } = await run("undo");
  expect(code, err).toBe(6);
  expect(err).toContain("1 channel was put into it since; to take it away all the same, add: --include-later");
  expect((await run("undo --include-later")).code).toBe(0);
  expect([...state.folders.values()].find(({ name }) => name === "Work")?.is_archived).toBe(true);
});

test("undo of an undo archives no folder again that somebody else has put a channel into", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  await run("folder create Work");
  expect((await run("undo")).code).toBe(0);
  expect((await run("undo 20260115-2")).code).toBe(0);
  expect((await other("channel update attic --folder Work")).code).toBe(0);
  const { code, err } = await run("undo 20260115-3");
  expect(code, err).toBe(6);
  expect(err).toContain("1 channel was put into it since; to take it away all the same, add: --include-later");
  expect([...state.folders.values()].find(({ name }) => name === "Work")?.is_archived).toBe(false);
});

test("undo twice does not move messages back that somebody else has moved again since", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  const move = "topic move design logo --to-channel general";
  const places = () => [1, 2].map((id) => state.messages.get(id)?.stream_id);
  await run(move);
  expect((await run("undo")).code).toBe(0);
  expect((await other(move)).code).toBe(0);
  const { code, err } = await run("undo 20260115-1");
  expect(code, err).toBe(6);
  expect(err).toContain("2 messages of it: moved back already, and moved again since");
  expect(places()).toEqual([2, 2]);
});

test("undo counts a later run that was taken back as nothing, with what the server changed beside it", async () => {
  const { state, machine } = organization();
  const run = machine();
  await run("playground add rust Play https://p.example/{code}");
  await run("settings update default_code_block_language=rust");
  await run("playground rm 1");
  expect((await run("undo")).code).toBe(0);
  const { code, err } = await run("undo 20260115-2");
  expect([code, state.organization.settings.default_code_block_language], err).toEqual([0, ""]);
});

test("undo leaves the last domain alone while addresses are restricted to domains", async () => {
  const { state, machine } = organization();
  const run = machine();
  const domains = () => [...state.domains.values()].map(({ domain }) => domain);
  await run("domain add one.example");
  await run("domain add two.example");
  state.organization.settings.emails_restricted_to_domains = true;
  expect((await run("undo")).code).toBe(0);
  const { code, err } = await run("undo 20260115-1");
  expect([code, domains(), state.organization.settings.emails_restricted_to_domains], err).toEqual([
    6,
    ["one.example"],
    true,
  ]);
  expect(err).toContain("emails_restricted_to_domains is on, and the server switches it off without any domain");
  expect((await run("undo 20260115-1 --include-later")).code).toBe(0);
  expect(domains()).toEqual([]);
  await run("domain add one.example");
  await run("settings update emails_restricted_to_domains=true");
  expect((await run("undo 20260115-6 20260115-7")).code).toBe(0);
  expect(domains()).toEqual([]);
});

test("undo takes the last person out of a private channel only with --allow-empty", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine()];
  expect((await run("channel create vault --private --subscribe iris@sandbox.example")).code).toBe(0);
  expect((await run("channel subscribers vault --add cora@sandbox.example")).code).toBe(0);
  expect((await other("channel subscribers vault --delete iris@sandbox.example")).code).toBe(0);
  const people = () => [...state.channels.values()].find(({ name }) => name === "vault")?.subscribers.size;
  const { code, err } = await run("undo 20260115-2");
  expect([code, people()], err).toEqual([2, 1]);
  expect(err).toContain("--allow-empty");
  const allowed = await run("undo 20260115-2 --allow-empty");
  expect([allowed.code, people()], allowed.err).toEqual([0, 0]);
});

test("undo puts back exactly whom a raw request removed from a channel", async () => {
  const { state, machine } = organization();
  const run = machine();
  const design = [...state.channels.values()].find(({ name }) => name === "design");
  const before = [...(design?.subscribers ?? [])].sort();
  const request = 'api DELETE users/me/subscriptions -f subscriptions=["design"] -F principals=[11,12,9]';
  expect([(await run(request)).code, before]).toEqual([0, expect.not.arrayContaining([9])]);
  expect(design?.subscribers.has(11)).toBe(false);
  const { code, err } = await run("undo");
  expect(code, err).toBe(0);
  expect([...(design?.subscribers ?? [])].sort()).toEqual(before);
});

test("undo takes out exactly whom a raw request added to a channel", async () => {
  const { state, machine } = organization();
  const run = machine();
  const design = [...state.channels.values()].find(({ name }) => name === "design");
  const before = [...(design?.subscribers ?? [])].sort();
  const request = 'api POST users/me/subscriptions -f subscriptions=[{"name":"design"}] -F principals=[11,9]';
  expect((await run(request)).code).toBe(0);
  expect(design?.subscribers.has(9)).toBe(true);
  const { code, err } = await run("undo");
  expect(code, err).toBe(0);
  expect([...(design?.subscribers ?? [])].sort()).toEqual(before);
});
