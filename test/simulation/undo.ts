/** A story of runs, of a second person, and of an undo. It ends with the rules that were broken. */
import { main } from "../../src/main.ts";
import type { State } from "../../src/sandbox/state.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";
import { Chance } from "./chance.ts";

type View = ReadonlyMap<string, string>;

/** What an undo must give back, by thing and attribute. */
export function viewOf({ channels, groups, folders, users, organization, linkifiers }: State): View {
  const view = new Map<string, string>();
  const put = (thing: string, fields: object) => {
    for (const [name, value] of Object.entries(fields)) view.set(`${thing} ${name}`, JSON.stringify(value));
  };
  const inside = (thing: string, list: string, ids: Iterable<number>) => {
    for (const id of ids) view.set(`${thing} ${list} ${id}`, "yes");
  };
  for (const { subscribers, unsubscribed: _, settings, date_created: __, ...channel } of channels.values()) {
    put(`channel ${channel.stream_id}`, { ...channel, ...settings });
    inside(`channel ${channel.stream_id}`, "subscriber", subscribers);
  }
  for (const { members, subgroups, settings, written: _, date_created: __, ...group } of groups.values()) {
    // The server keeps the members of system groups.
    if (group.is_system_group) continue;
    put(`group ${group.id}`, { ...group, ...settings });
    inside(`group ${group.id}`, "member", members);
    inside(`group ${group.id}`, "subgroup", subgroups);
  }
  for (const { order: _, ...folder } of folders.values()) put(`folder ${folder.id}`, folder);
  for (const { user_id, full_name, role, is_active } of users.values())
    put(`user ${user_id}`, { full_name, role, is_active });
  put("organization", { ...organization.settings, ...organization.permissions });
  for (const { pattern, url_template } of linkifiers.values()) view.set(`linkifier ${pattern}`, url_template);
  return view;
}

const people = ["cora", "otis", "mona", "adam"].map((name) => `${name}@sandbox.example`);
const channelNames = ["design", "general", "announcements", "staff", "council"];
const groupNames = ["designers", "writers"];
const who = ["role:members", "role:moderators", "role:administrators", "nobody", "role:everyone"];

/** One random change, as typed. */
function changeBy(chance: Chance, n: number): string[] {
  const [channel, group, person] = [chance.of(channelNames), chance.of(groupNames), chance.of(people)];
  return chance.of<() => string[]>([
    () => ["channel", "update", channel, "--description", `text ${n}`],
    () => ["channel", "update", channel, "--can-send-message-group", chance.of(who)],
    () => ["channel", "update", channel, "--topics-policy", chance.of(["allow_empty_topic", "disable_empty_topic"])],
    () => ["channel", "update", channel, chance.of(["--private", "--no-private"])],
    () => ["channel", "update", channel, chance.of(["--default", "--no-default"])],
    () => ["channel", "update", channel, chance.of(["--folder=Projects", "--no-folder"])],
    () => ["channel", "archive", channel],
    () => ["channel", "create", `new ${n}`],
    () => ["channel", "subscribers", channel, chance.of(["--add", "--delete"]), person],
    () => ["group", "update", group, "--description", `text ${n}`],
    () => ["group", "update", group, "--can-mention-group", chance.of(who)],
    () => ["group", "members", group, chance.of(["--add", "--delete"]), person],
    () => ["group", "create", `group ${n}`, "--description", "x"],
    () => ["folder", "update", "Projects", "--description", `text ${n}`],
    () => ["folder", "create", `folder ${n}`],
    () => ["users", "update", person, "--full-name", `Name ${n}`],
    () => ["users", "update", person, "--role", chance.of(["member", "moderator", "guest"])],
    () => ["users", "deactivate", person],
    () => ["settings", "update", `waiting_period_threshold=${chance.whole(0, 9)}`],
    () => ["settings", "update", `can_create_groups=${chance.of(["role:members", "role:administrators"])}`],
    () => ["linkifier", "add", `N${n}-(?P<id>[0-9]+)`, "https://n.example/{id}"],
    () => ["linkifier", "rm", String(chance.whole(1, 2))],
  ])();
}

/** Returns what the story broke. */
export async function brokenRules(seed: number): Promise<string[]> {
  const chance = new Chance(seed);
  const sandbox = fresh();
  let faults = 0;
  const http: typeof sandbox.handle = async (request) => {
    const isChange = request.method !== "GET" && !request.url.endsWith("/register");
    const fault = isChange && chance.hits(faults) ? chance.of(["refused", "lost", "cut"]) : undefined;
    const answer = (status: number, text: string) => ({
      status,
      headers: {},
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    });
    if (fault === "refused") return answer(400, '{"result":"error","msg":"No","code":"BAD_REQUEST"}');
    if (fault === "lost") return answer(502, "");
    const answered = await sandbox.handle(request);
    return fault === "cut" ? answer(502, "") : answered;
  };
  const lines = Array.from({ length: chance.whole(1, 6) }, (_, n) => changeBy(chance, n));
  const quote = (word: string) => `'${word}'`;
  const input = `${lines.map((line) => line.map(quote).join(" ")).join("\n")}\n`;
  const world = testWorld({ http, env: credentials(sandbox), input });
  const zulipctl = async (argv: string[]) => ({ code: await main(argv, world), err: world.stderr.text.slice(-1500) });
  const view = () => viewOf(structuredClone(sandbox.state));

  const before = view();
  faults = chance.hits(0.4) ? 0.2 : 0;
  const run = ["batch", "-", "--format", "lines", "--yes", "--skip-invalid", "--settle", "1"];
  await zulipctl(chance.hits(0.2) ? [...run, "--no-merge"] : run);
  const hadFaults = faults > 0;
  faults = 0;
  const after = view();
  const log = [...world.files.logs.values()].join("");
  const left = new Set<string>();
  if (chance.hits(0.5)) {
    const second = testWorld({ http: sandbox.handle, env: credentials(sandbox, "iris@sandbox.example") });
    for (let n = 10; n < 13; n++) await main([...changeBy(chance, n), "--yes", "--no-record"], second);
  }
  const theirs = view();
  const isTheirs = (key: string) => theirs.get(key) !== after.get(key);
  for (const key of new Set([...after.keys(), ...theirs.keys()])) if (isTheirs(key)) left.add(key);
  if (!log.trim()) return [];
  const undone = await zulipctl(["undo", "last", "--yes"]);
  const now = view();
  const broken: string[] = [];
  const tell = (rule: string, key: string) =>
    broken.push(
      `seed ${seed}: ${rule}: ${key}: ${before.get(key)} → ${after.get(key)} → ${theirs.get(key)} → ${now.get(key)}\n${input}${undone.code} ${undone.err}`,
    );
  const isNew = (key: string) =>
    !before.has(key.split(" ").slice(0, 2).join(" ") + (key.startsWith("channel") ? " name" : " description")) &&
    !/^(organization|linkifier|user)/.test(key);
  for (const key of new Set([...before.keys(), ...after.keys(), ...theirs.keys(), ...now.keys()])) {
    if (isNew(key)) continue;
    if (left.has(key)) {
      if (now.get(key) !== theirs.get(key)) tell("what the second person did is touched", key);
    } else if (undone.code === 0) {
      if (now.get(key) !== before.get(key)) tell("not given back", key);
    } else if (now.get(key) !== before.get(key) && now.get(key) !== after.get(key)) tell("something else", key);
  }
  if (!hadFaults && undone.code === 0 && !left.size && now.size && after.size) {
    const again = await zulipctl(["undo", "last", "--yes"]);
    const last = view();
    for (const key of after.keys())
      if (again.code === 0 && last.get(key) !== after.get(key))
        broken.push(`seed ${seed}: undo of undo: ${key}: ${after.get(key)} → ${last.get(key)}\n${input}${again.err}`);
    if (again.code && again.code !== 2)
      broken.push(`seed ${seed}: undo of undo ends with ${again.code}\n${input}${again.err}`);
  }
  if (![0, 1, 2, 5, 6].includes(undone.code)) broken.push(`seed ${seed}: ends with ${undone.code}: ${undone.err}`);
  return broken;
}
