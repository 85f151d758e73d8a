/** People leave while processes die and the network fails: however often it is run again, it ends as an undisturbed run. */
import { nextId, type SandboxState } from "../../src/sandbox/index.ts";
import { Chance } from "./chance.ts";
import { organizationOf, Runs } from "./runs.ts";

const addressOf = (n: number): string => `u${n}@chat.example`;

const account = addressOf(0);

/** The first is the owner who offboards; the last has a bot of each of the others at most. */
function organization(chance: Chance): SandboxState {
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
  const state = organizationOf(world, chance);
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
function endOf({ users, channels, groups, organization: { permissions }, invitations }: SandboxState): string {
  const lists = (_: string, value: unknown) =>
    value instanceof Set ? [...value].sort() : Array.isArray(value) ? [...value].sort() : value;
  const end = {
    permissions,
    channels: [...channels.values()].map(({ settings, subscribers }) => ({ settings, subscribers })),
    groups: [...groups.values()].map(({ settings, members }) => ({ settings, members })),
    users: [...users.values()].map(({ user_id, is_active, bot_owner_id }) => [user_id, is_active, bot_owner_id].join()),
    invitations: invitations.filter(({ expiry_date }) => expiry_date !== 0).map(({ email }) => email),
  };
  return JSON.stringify(end, lists);
}

class Simulation extends Runs {
  /** What is wrong in the end; undefined where nothing is. */
  async #tell(leaving: readonly string[], to: readonly string[], runs: number): Promise<string | undefined> {
    const words = ["users", "offboard", ...leaving, ...to, "--yes", "-o", "json"];
    for (let n = runs; n > 0; n--) {
      const { code, err } = await this.run(words);
      if (code === 70) return `a bug: ${err}`;
    }
    await this.calm();
    const last = await this.run(words);
    if (last.code !== 0) return `the last run ended with ${last.code}: ${last.err}`;
    const { out } = await this.run(["users", "offboard", "--check", ...leaving, "-o", "json"]);
    // A key that a person knew, and a private channel that only they could read, are only named.
    const left = JSON.parse(out).filter(({ kind }: { kind: string }) => kind !== "key" && kind !== "channel");
    return left.length ? `it leaves behind ${JSON.stringify(left)}` : undefined;
  }

  async end(leaving: readonly string[], to: readonly string[], runs: number) {
    const wrong = await this.time.until(this.#tell(leaving, to, runs));
    return { wrong, end: endOf(this.sandbox.state) };
  }
}

/** What is wrong with the story of a seed; undefined where nothing is. */
export async function breach(seed: number): Promise<string | undefined> {
  const chance = new Chance(seed);
  const state = organization(chance);
  const leaving = chance.of([[1], [2], [2, 3], [1, 2, 3]]).map(addressOf);
  const to = chance.hits(0.7) ? ["--to", addressOf(chance.of([0, 4, 5]))] : [];
  const calm = await new Simulation(structuredClone(state), new Chance(seed), { trouble: 0, account }).end(
    leaving,
    to,
    0,
  );
  if (calm.wrong) return `undisturbed: ${calm.wrong}`;
  const trouble = chance.of([0.05, 0.1, 0.3]);
  const { wrong, end } = await new Simulation(state, chance, { trouble, account }).end(leaving, to, chance.whole(1, 4));
  if (wrong) return wrong;
  return end === calm.end ? undefined : `it ends otherwise than undisturbed:\n${calm.end}\n${end}`;
}
