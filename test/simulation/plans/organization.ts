/** The organization at the start of a story. */
import {
  createSandbox,
  joinSystemGroups,
  nextId,
  type Sandbox,
  type SandboxState,
  type StoredUser,
  systemGroupId,
} from "../../../src/sandbox/index.ts";
import { Chance } from "../chance.ts";

export const site = "https://chat.example";
export const noon = Date.UTC(2026, 0, 15, 12);

const fewPeople = 7;
/** Enough people for a long list: guards allow three removals, but not more. */
const manyPeople = 31;

const addressOf = (n: number): string => `u${n}@chat.example`;

/** The first two are owners: one applies files, the other is somebody else. */
function worldOf(people: number) {
  const keys = Array.from({ length: people }, (_, n) => `u${n}`);
  const roleOf = (n: number) => (n < 2 ? (100 as const) : n === 2 ? (200 as const) : (400 as const));
  const channel = (name: string, subscribers: string[], more = {}) => ({
    name,
    description: `It is ${name}`,
    privacy: "public" as const,
    archived: false,
    default: false,
    subscribers,
    creator: "u1",
    ...more,
  });
  const group = (name: string, members: string[]) => ({
    name,
    description: `They are ${name}`,
    members,
    subgroups: [],
    creator: "u1",
  });
  return {
    web_public: false,
    users: keys.map((key, n) => ({
      key,
      full_name: `Person ${n}`,
      email: addressOf(n),
      role: roleOf(n),
      bot: false,
      active: true,
    })),
    channels: [
      channel("general", keys),
      channel("design", keys.slice(0, 3)),
      channel("vault", keys.slice(0, 2), { privacy: "private" as const }),
      channel("old", keys.slice(0, 3)),
    ],
    groups: [group("designers", keys), group("writers", keys.slice(2, 5))],
    messages: [],
  };
}

function furnish(state: SandboxState): void {
  const folder = (name: string) => {
    const id = nextId(state, "folder");
    const made = { id, name, description: "", date_created: noon, creator_id: 8, is_archived: false, order: id };
    state.folders.set(id, made);
  };
  folder("Projects");
  folder("Past");
  for (const pattern of ["P(?P<n>[0-9]+)", "R(?P<n>[0-9]+)"])
    state.linkifiers.push({
      id: nextId(state, "linkifier"),
      pattern,
      url_template: "https://old.example/{n}",
      example_input: null,
      reverse_template: null,
      alternative_url_templates: [],
    });
  for (const domain of ["a.example", "b.example"])
    state.domains.push({ id: nextId(state, "domain"), domain, allow_subdomains: false });
  state.organization.settings.emails_restricted_to_domains = true;
}

const templates = new Map<number, SandboxState>();

function template(people: number): SandboxState {
  const known = templates.get(people);
  if (known) return known;
  const chance = new Chance(7);
  const { state } = createSandbox({
    site,
    clock: { now: () => noon },
    random: () => chance.next(),
    world: worldOf(people),
  });
  furnish(state);
  templates.set(people, state);
  return state;
}

/** Created for each story, so that stories are independent. */
export function organization(chance: Chance, now: () => number): Sandbox {
  const state = structuredClone(template(chance.hits(0.2) ? manyPeople : fewPeople));
  // What files name may be there before.
  if (chance.hits(0.5))
    state.domains.push({ id: nextId(state, "domain"), domain: "c.example", allow_subdomains: true });
  return createSandbox({ site, rateLimits: false, clock: { now }, random: () => chance.next(), state });
}

const userOf = ({ users }: SandboxState, n: number): StoredUser =>
  [...users.values()].find(({ delivery_email }) => delivery_email === addressOf(n))!;

/** Who applies files. */
export const callerOf = (state: SandboxState): StoredUser => userOf(state, 0);

/** Who changes things meanwhile. */
export const otherOf = (state: SandboxState): StoredUser => userOf(state, 1);

/** Repairs what keeps the file from being applied, at the end of a story. */
export function restore(state: SandboxState): void {
  for (const user of state.users.values()) user.is_active = true;
  for (const owner of [callerOf(state), otherOf(state)]) {
    owner.role = 100;
    joinSystemGroups(state, owner, noon);
  }
  for (const channel of state.channels.values()) {
    channel.is_archived = false;
    // Only who is in a private channel can change who else is.
    if (channel.invite_only) channel.subscribers.add(callerOf(state).user_id);
  }
  state.organization.permissions.can_create_groups = systemGroupId(state, "role:members");
  state.organization.permissions.can_manage_all_groups = systemGroupId(state, "role:owners");
  const used = new Set([...state.folders.values()].flatMap(({ name, is_archived }) => (is_archived ? [] : [name])));
  for (const folder of state.folders.values()) {
    // A folder may have the name of an archived one.
    if (used.has(folder.name)) continue;
    used.add(folder.name);
    folder.is_archived = false;
  }
  for (const group of state.groups.values()) group.deactivated = false;
}
