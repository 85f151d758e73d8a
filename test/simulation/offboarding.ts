/** People leave while processes die and the network fails: however often it is run again, it ends as an undisturbed run. */
import { setMaxListeners } from "node:events";
import { main } from "../../src/main.ts";
import { createSandbox, nextId, type Sandbox, type State } from "../../src/sandbox/index.ts";
import type { Captured } from "../world.ts";
import { Chance } from "./chance.ts";
import { Disk } from "./disk.ts";
import { Network } from "./network.ts";
import { worldOf } from "./place.ts";
import { Process } from "./process.ts";
import { Time } from "./time.ts";

const site = "https://chat.example";
const noon = Date.UTC(2026, 0, 15, 12);
const addressOf = (n: number): string => `u${n}@chat.example`;

/** The first is the owner who offboards; the last has a bot of each of the others at most. */
function organization(chance: Chance): State {
  const keys = Array.from({ length: 8 }, (_, n) => `u${n}`);
  const some = (most: number) => keys.filter(() => chance.hits(most));
  const thing = { description: "", creator: "u1" };
  const world = {
    web_public: false,
    users: keys.map((key, n) => ({
      key,
      full_name: `Person ${n}`,
      email: addressOf(n),
      role: n < 2 ? (100 as const) : (400 as const),
      bot: n > 5,
      active: true,
    })),
    channels: [0, 1, 2].map((n) => ({
      ...thing,
      name: `channel ${n}`,
      privacy: chance.of(["public", "private"] as const),
      archived: false,
      default: false,
      subscribers: chance.hits(0.4) ? [chance.of(keys)] : some(0.4),
    })),
    groups: [0, 1, 2].map((n) => ({ ...thing, name: `group ${n}`, members: some(0.3), subgroups: [] })),
    messages: [],
  };
  const { state } = createSandbox({ site, clock: { now: () => noon }, random: () => chance.next(), world });
  const people = [...state.users.values()].filter(({ bot_type }) => bot_type === null).map(({ user_id }) => user_id);
  const groups = [...state.groups.values()].filter(({ is_system_group }) => !is_system_group);
  const setting = () => {
    const direct_members = [...new Set([chance.of(people), ...people.filter(() => chance.hits(0.3))])];
    const direct_subgroups = groups.flatMap(({ id }) => (chance.hits(0.2) ? [id] : []));
    return chance.hits(0.3) ? chance.of(groups).id : { direct_members, direct_subgroups };
  };
  for (const { settings } of [...state.channels.values(), ...groups])
    for (const name of Object.keys(settings))
      if (name !== "can_create_topic_group" && chance.hits(0.3)) Object.assign(settings, { [name]: setting() });
  Object.assign(state.organization.permissions, { can_create_groups: setting(), can_invite_users_group: setting() });
  for (const bot of state.users.values()) if (bot.bot_type !== null) bot.bot_owner_id = chance.of(people);
  const invitation = { key: "", invited: 0, expiry_date: null, invited_as: 400, notify_referrer_on_join: false };
  const id = nextId(state, "invitation");
  state.invitations.push({
    ...invitation,
    id,
    email: "x@x.example",
    invited_by_user_id: chance.of(people),
    revoked: false,
  });
  return state;
}

/** All that an offboarding may change. */
function endOf({ users, channels, groups, organization: { permissions }, invitations }: State): string {
  const lists = (_: string, value: unknown) =>
    value instanceof Set ? [...value].sort() : Array.isArray(value) ? [...value].sort() : value;
  const end = {
    permissions,
    channels: [...channels.values()].map(({ settings, subscribers }) => ({ settings, subscribers })),
    groups: [...groups.values()].map(({ settings, members }) => ({ settings, members })),
    users: [...users.values()].map(({ user_id, is_active, bot_owner_id }) => [user_id, is_active, bot_owner_id].join()),
    invitations: invitations.map(({ email }) => email),
  };
  return JSON.stringify(end, lists);
}

class Simulation {
  readonly #chance: Chance;
  readonly #time = new Time();
  readonly #disk: Disk;
  readonly #sandbox: Sandbox;
  readonly #weather;

  constructor(state: State, chance: Chance, trouble: number) {
    this.#chance = chance;
    this.#disk = new Disk(chance);
    this.#weather = { trouble, closed: false };
    const clock = { now: () => this.#time.now + noon };
    this.#sandbox = createSandbox({ site, rateLimits: false, clock, random: () => chance.next(), state });
  }

  /** Undefined for the exit code of a process that died. */
  async #run(words: readonly string[]): Promise<{ code?: number; out: string; err: string }> {
    const [chance, time] = [this.#chance, this.#time];
    const calm = this.#weather.trouble === 0;
    const process = new Process(
      time,
      chance,
      calm || chance.hits(0.3) ? Number.POSITIVE_INFINITY : chance.whole(20, 150),
    );
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const network = new Network(time, chance, this.#weather, this.#sandbox.handle);
    const now = () => time.now + noon;
    const place = { process, stop: stop.signal, disk: this.#disk, time, now, chance, network, passages: [] };
    const { state } = this.#sandbox;
    const key = [...state.users.values()].find(({ delivery_email }) => delivery_email === addressOf(0))?.api_key ?? "";
    const env = { ZULIP_SITE: site, ZULIP_EMAIL: addressOf(0), ZULIP_API_KEY: key };
    const world = { ...worldOf(place, calm), env };
    let code: number | undefined;
    const work = main([...words], world).then((ended) => {
      code = ended;
    });
    await Promise.race([work, process.death]);
    const [out, err] = [world.stdout as Captured, world.stderr as Captured].map(({ text }) => text);
    return { ...(code !== undefined && { code }), out: out ?? "", err: err ?? "" };
  }

  /** What is wrong in the end; undefined where nothing is. */
  async #tell(leaving: readonly string[], to: readonly string[], runs: number): Promise<string | undefined> {
    const words = ["users", "offboard", ...leaving, ...to, "--yes", "-o", "json"];
    for (let n = runs; n > 0; n--) {
      const { code, err } = await this.#run(words);
      if (code === 70) return `a bug: ${err}`;
    }
    this.#weather.trouble = 0;
    // What is still on its way arrives before the last run.
    await this.#time.sleep(300_000);
    const last = await this.#run(words);
    // 2: an earlier run has deactivated them all.
    if (last.code !== 0 && last.code !== 2) return `the last run ended with ${last.code}: ${last.err}`;
    const { out } = await this.#run(["users", "offboard", "--check", ...leaving, "-o", "json"]);
    return out.trim() === "[]" ? undefined : `it leaves behind ${out}`;
  }

  async end(leaving: readonly string[], to: readonly string[], runs: number) {
    const wrong = await this.#time.until(this.#tell(leaving, to, runs));
    return { wrong, end: endOf(this.#sandbox.state) };
  }
}

/** What is wrong with the story of a seed; undefined where nothing is. */
export async function breach(seed: number): Promise<string | undefined> {
  const chance = new Chance(seed);
  const state = organization(chance);
  const leaving = chance.of([[1], [2], [2, 3], [1, 2, 3]]).map(addressOf);
  const to = chance.hits(0.7) ? ["--to", addressOf(chance.of([0, 4, 5]))] : [];
  const calm = await new Simulation(structuredClone(state), new Chance(seed), 0).end(leaving, to, 0);
  if (calm.wrong) return `undisturbed: ${calm.wrong}`;
  const trouble = chance.of([0.05, 0.1, 0.3]);
  const { wrong, end } = await new Simulation(state, chance, trouble).end(leaving, to, chance.whole(1, 4));
  if (wrong) return wrong;
  return end === calm.end ? undefined : `it ends otherwise than undisturbed:\n${calm.end}\n${end}`;
}
