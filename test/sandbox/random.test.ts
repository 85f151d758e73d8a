/** Random calls at random levels: the sandbox answers every call, and its organization stays consistent. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { routes } from "../../src/sandbox/routes.ts";
import type { SandboxState } from "../../src/sandbox/state.ts";
import { clockAt, noon, sandboxOf, seededRandom, sendRequest } from "./client.ts";

/** For a longer run: RANDOM_CALLS=100000 npx vitest run test/sandbox/random.test.ts. */
const calls = Number(process.env.RANDOM_CALLS ?? 3000);
const each = 300;
const levels = [371, 388, 414, 442, 449, 480, 512];

function generator(random: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const id = () => pick([...Array.from({ length: 22 }, (_, n) => n), 99_999_999, -1, 1e20]);
  const named = () => pick([id(), { direct_members: [id(), id()], direct_subgroups: [id()] }]);
  const setting = () => pick([named(), { new: named() }, { new: named(), old: named() }, { direct_members: [] }]);
  const term = () => ({
    operator: pick(["channel", "with", "is", "search", "dm", "id", "topic"]),
    operand: pick([id(), "x", "starred", [id()]]),
  });
  const values: (() => unknown)[] = [
    () => pick([true, false, null, 1.5, 1e30, -5, "x", "", "unlimited"]),
    () => pick([id(), [id(), id()], [], {}]),
    () =>
      pick([
        [{ name: "design" }, { name: pick(["new", "New", "q"]) }],
        ["design", "general"],
      ]),
    () => [{ id: id(), value: pick([null, "v", [id()]]) }],
    () => [term(), term()],
    () => ({ type: "stream", to: [id()], topic: "t", content: "c" }),
    () => pick([{ 0: { text: "a", order: "1" } }, { subtype: "github" }, { notification_settings_null: true }]),
    () => pick([["realm", "subscription", "realm_user", "stream", "realm_bot", "drafts"], ["nonsense"]]),
  ];
  const texts = ["x", "", "a@example.com, b@example.com", "New name", "newest", "design", "a\0b", "x".repeat(300)];
  const text = (name: string): string => {
    if (/_group$|^can_/.test(name)) return JSON.stringify(setting());
    return random() < 0.35 ? pick([...texts, "https://x.example/{code}"]) : JSON.stringify(pick(values)());
  };
  const part = (name: string) =>
    /email|domain|emoji/.test(name)
      ? pick(["cora@sandbox.example", "x.example"])
      : String(Math.abs(Number(pick([id(), 2]))));
  return { pick, text, part };
}

/** Lists inconsistencies. */
function inconsistencies({ users, channels, groups, folders, organization }: SandboxState): unknown[] {
  const found: unknown[] = [];
  const check = (right: boolean, what: unknown) => {
    if (!right) found.push(what);
  };
  for (const channel of channels.values()) {
    for (const id of channel.subscribers) check(users.has(id), ["unknown subscriber", id]);
    check(channel.folder_id === null || folders.has(channel.folder_id), ["unknown folder", channel.name]);
    check(!(channel.is_default && (channel.is_archived || channel.invite_only)), [
      "archived or private default channel",
      channel.name,
    ]);
    check(channel.invite_only || channel.history_public_to_subscribers, [
      "public channel with hidden history",
      channel.name,
    ]);
  }
  for (const group of groups.values()) {
    for (const id of group.members) check(users.has(id), ["unknown member", group.name, id]);
    for (const id of group.subgroups) check(groups.has(id), ["unknown subgroup", group.name, id]);
  }
  const roles = { owners: 100, administrators: 200, moderators: 300, members: 400, everyone: 600 };
  for (const [name, role] of Object.entries(roles)) {
    const group = [...groups.values()].find((one) => one.name === `role:${name}`)!;
    for (const user of users.values()) {
      check(group.members.has(user.user_id) === (user.role === role), ["wrong group of the role", user.full_name]);
    }
  }
  for (const [name, value] of Object.entries(organization.permissions)) {
    check(typeof value !== "number" || groups.has(value), ["permission with an unknown group", name]);
  }
  const names = [...channels.values()].map(({ name }) => name.toLowerCase());
  check(new Set(names).size === names.length, ["two channels with one name", names]);
  const orders = [...folders.values()].map(({ order }) => order);
  check(new Set(orders).size === orders.length, ["two folders with one position", orders]);
  check(
    [...users.values()].some(({ role, is_active }) => role === 100 && is_active),
    "no active owner",
  );
  return found;
}

/** Lists channels, groups and permissions that show a deactivated person. */
async function deactivatedShown(sandbox: Sandbox): Promise<unknown[]> {
  const owner = [...sandbox.state.users.values()].find(
    ({ role, is_active, bot_type }) => role === 100 && is_active && bot_type === null,
  );
  if (!owner) return [];
  const { body } = await sendRequest(sandbox, "POST", "/register", {
    as: owner.delivery_email.split("@")[0]!,
    form: { fetch_event_types: '["subscription","realm_user_groups"]' },
  });
  const gone = [...sandbox.state.users.values()].filter(({ is_active }) => !is_active).map(({ user_id }) => user_id);
  const lists = JSON.stringify(body).match(/"(?:subscribers|members|direct_members)":\[[\d,]*\]/g) ?? [];
  return lists.filter((list) => (list.match(/\d+/g) ?? []).some((id) => gone.includes(Number(id))));
}

test(`${calls} random calls get answers, and leave a consistent organization`, async () => {
  for (let seed = 1; seed <= Math.ceil(calls / each); seed++) {
    const random = seededRandom(seed);
    const { pick, text, part } = generator(random);
    const level = random() < 0.5 ? pick(levels) : 371 + Math.floor(random() * 142);
    const clock = clockAt(noon);
    const sandbox = sandboxOf({ clock, random, level, rateLimits: false });
    const callers = ["iris", "iris", "adam", "mona", "cora", "otis", "gwen", "beep-bot"];
    for (let n = 0; n < each; n++) {
      clock.forward(50);
      const { operation } = pick(routes);
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => part(name));
      const sent = Object.keys(operation.params).filter(() => random() < 0.6);
      const form = Object.fromEntries(sent.map((name) => [name, text(name)]));
      const as = random() < 0.97 ? { as: pick(callers) } : {};
      const parameters = operation.method === "GET" ? { ...as, query: form } : { ...as, form };
      const { status } = await sendRequest(sandbox, operation.method, path, parameters);
      expect({ status, level, operation: operation.name, form }).toMatchObject({ status: expect.any(Number) });
    }
    const problems = [...inconsistencies(sandbox.state), ...(await deactivatedShown(sandbox))];
    expect({ seed, level, problems }).toEqual({ seed, level, problems: [] });
  }
}, 3_600_000);
