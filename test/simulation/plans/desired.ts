/** Makes a random file, and the flags for applying it. */
import type { Content, FileEntry } from "../../../src/organization/content.ts";
import { isBot, type SandboxState } from "../../../src/sandbox/index.ts";
import type { Chance } from "../chance.ts";
import { site } from "./organization.ts";

export const newGroups = ["crew", "inner", "outer"];
export const newChannels = ["deck", "hold"];
export const newFolders = ["Work", "Play"];
/** People whom a file may invite. */
export const newAddresses = ["new@c.example", "more@c.example"];
export const patterns = ["Q(?P<n>[0-9]+)", "S(?P<n>[0-9]+)"];

export interface Desired {
  readonly content: Content;
  readonly prune: boolean;
  readonly allowEmpty: boolean;
  readonly allowLockout: boolean;
  readonly maxRemovals: number | undefined;
}

const some = <T>(chance: Chance, all: readonly T[], share: number): T[] => all.filter(() => chance.hits(share));

/** Returns the members with a probability. */
const maybe = <T extends object>(chance: Chance, share: number, members: T): Partial<T> =>
  chance.hits(share) ? members : {};

class FileWriter {
  readonly #chance: Chance;
  readonly #state: SandboxState;
  readonly #people: readonly string[];
  /** Whether the file asks for changes that guards stop. */
  readonly #reckless: boolean;
  /** People whom the file deactivates: no list can name them. */
  readonly #leaving: readonly string[];
  /** People whom the file invites: only lists can name them. */
  readonly #invited: readonly string[];
  /** The allowed domains of invitations. */
  readonly #domains: readonly FileEntry[] | undefined;

  constructor(chance: Chance, state: SandboxState) {
    this.#chance = chance;
    this.#state = state;
    const all = [...state.users.values()].filter((user) => !isBot(user)).map(({ delivery_email }) => delivery_email);
    this.#reckless = chance.hits(0.3);
    const me = this.#reckless && chance.hits(0.1) ? all.slice(0, 1) : [];
    this.#leaving = [...me, ...some(chance, all.slice(2, 5), 0.1)];
    this.#people = all.filter((each) => !this.#leaving.includes(each));
    const domains = [
      { domain: "c.example", allow_subdomains: true },
      ...some(chance, [{ domain: "a.example", allow_subdomains: false }], 0.5),
    ];
    this.#domains = chance.hits(0.5) ? domains : undefined;
    this.#invited = this.#domains ? some(chance, newAddresses, 0.4) : [];
  }

  /** Returns people for a list. */
  #listed(share?: number): string[] {
    return [...this.#some(share), ...some(this.#chance, this.#invited, 0.4)];
  }

  #some(share = 0.3): string[] {
    return some(this.#chance, this.#people, share);
  }

  #who(): unknown {
    const users = this.#some();
    const groups = ["role:moderators", "designers", "role:members", ...newGroups];
    return this.#chance.of<unknown>([...groups, { users: users.length ? users : this.#people.slice(0, 1) }]);
  }

  /** Returns a change of an existing list: `add` and `remove`, or the whole list. */
  #list(): unknown {
    const chance = this.#chance;
    if (this.#reckless && chance.hits(0.5)) return chance.hits(0.3) ? [] : this.#listed(0.5);
    const add = this.#listed(0.25);
    const remove = this.#people.slice(2, 5).filter((each) => !add.includes(each) && chance.hits(0.6));
    return { add, ...(remove.length && { remove }) };
  }

  groups(): FileEntry[] {
    const chance = this.#chance;
    const fresh = newGroups.map((name, n) => ({
      name,
      description: `About ${name}`,
      members: this.#listed(),
      subgroups: some(chance, newGroups.slice(0, n), 0.4),
      ...maybe(chance, 0.4, { can_mention_group: this.#who() }),
    }));
    const known = {
      name: "designers",
      ...maybe(chance, 0.6, { description: chance.of(["Who draws", "They are designers"]) }),
      ...maybe(chance, 0.7, { members: this.#list() }),
      ...maybe(chance, 0.3, { subgroups: { add: some(chance, newGroups, 0.5) } }),
      ...maybe(chance, 0.3, { can_join_group: this.#who() }),
      ...maybe(chance, 0.3, { can_manage_group: this.#who() }),
    };
    return [
      ...some(chance, fresh, 0.7),
      ...some(
        chance,
        [known, { name: "authors", was: "writers", ...maybe(chance, 0.5, { members: this.#list() }) }],
        0.6,
      ),
    ];
  }

  /** Nobody can be invited to a private channel of which the caller is not a subscriber. */
  #invitable(entry: FileEntry): FileEntry {
    const { is_private, subscribers } = entry as { is_private?: boolean; subscribers?: string[] | { add: string[] } };
    if (!is_private || !subscribers) return entry;
    const listed = Array.isArray(subscribers) ? subscribers : subscribers.add;
    if (listed.includes(this.#people[0]!)) return entry;
    const known = listed.filter((each) => this.#people.includes(each));
    return { ...entry, subscribers: Array.isArray(subscribers) ? known : { ...subscribers, add: known } };
  }

  channels(): FileEntry[] {
    const chance = this.#chance;
    const fresh = newChannels.map((name) => ({
      name,
      description: `About ${name}`,
      ...maybe(chance, 0.6, { folder: chance.of([...newFolders, "Projects"]) }),
      is_private: chance.hits(0.4),
      subscribers: this.#listed(),
      ...maybe(chance, 0.4, { can_send_message_group: this.#who() }),
    }));
    const design = {
      description: chance.of(["Sketches", "It is design"]),
      ...maybe(chance, 0.4, { folder: chance.of<unknown>(["Work", "Projects", null]) }),
      ...maybe(chance, 0.7, { subscribers: this.#list() }),
      ...maybe(chance, 0.2, { can_send_message_group: this.#who() }),
      ...maybe(chance, 0.2, { is_private: true }),
    };
    const all: FileEntry[] = [...some(chance, fresh, 0.8)];
    const id = (wanted: string) => [...this.#state.channels.values()].find(({ name }) => name === wanted)!.stream_id;
    if (chance.hits(0.2))
      all.push({ id: id("design"), name: "old", ...design }, { id: id("old"), name: "design", description: "Swapped" });
    else {
      if (chance.hits(0.8)) all.push({ name: "design", ...design });
      if (chance.hits(0.3)) all.push({ name: "old", archived: true });
    }
    const known = chance.whole(0, 9);
    if (known < 3) all.push({ name: "council", was: "general", description: "Talk" });
    else if (known < 5) all.push({ name: "general", subscribers: this.#list() });
    if (chance.hits(0.3)) all.push({ name: "vault", description: "Deep down", subscribers: this.#list() });
    return all.map((each) => this.#invitable(each));
  }

  people(): FileEntry[] {
    const chance = this.#chance;
    // The first two are owners.
    const [owners, rest] = [this.#people.slice(0, 2), this.#people.slice(2, 5)];
    return [
      ...this.#leaving.map((email) => ({ email, active: false })),
      ...[...some(chance, rest, 0.25), ...(this.#reckless ? some(chance, owners, 0.4) : [])].map((email) => ({
        email,
        role: chance.of(["administrator", "moderator", "member", "guest"]),
      })),
      ...this.#invited.map((email) => ({
        email,
        invite: true,
        ...maybe(chance, 0.5, { role: chance.of(["moderator", "guest"]) }),
      })),
    ];
  }

  /** Returns the sections, and which of them are complete. */
  content(): Content {
    const chance = this.#chance;
    const linkifiers = [
      ...some(chance, patterns, 0.6).map((pattern) => ({ pattern, url_template: "https://x.example/{n}" })),
      ...some(chance, [{ pattern: "P(?P<n>[0-9]+)", url_template: "https://x.example/p/{n}" }], 0.3),
    ];
    const domains = this.#domains;
    const listed = { ...maybe(chance, 0.8, { linkifiers }), ...(domains && { domains }) };
    // A complete section must not be empty.
    const complete = some(chance, Object.entries(listed), 0.3).flatMap(([name, all]) => (all!.length ? [name] : []));
    return {
      organization: site,
      settings: {
        ...maybe(chance, 0.6, { description: chance.of(["We make things", "We break things"]) }),
        ...maybe(chance, 0.2, { can_create_groups: this.#who() }),
        ...maybe(chance, 0.2, { emails_restricted_to_domains: chance.hits(0.5) }),
        ...(this.#reckless && maybe(chance, 0.2, { can_manage_all_groups: "crew" })),
      },
      ...maybe(chance, 0.5, {
        profile_fields: [
          { name: "Team", type: "options", options: [...some(chance, ["Red", "Green"], 0.7), "Blue"], hint: "" },
        ],
      }),
      folders: [
        ...some(chance, newFolders, 0.8).map((name) => ({ name, description: `About ${name}` })),
        ...(chance.hits(0.3) ? [{ name: "Archive", was: "Past" }] : []),
      ],
      people: this.people(),
      groups: this.groups(),
      channels: this.channels(),
      ...listed,
      ...maybe(chance, 0.5, {
        playgrounds: [{ name: "Try", pygments_language: "Rust", url_template: "https://p.example/{code}" }],
      }),
      ...(complete.length && { complete }),
    } as Content;
  }
}

/** Adds an entry for each folder and group that the file names: somebody else may rename the existing ones. */
function withNamedThings(content: Content): Content {
  const all = content as unknown as Record<string, FileEntry[]>;
  const text = JSON.stringify(content);
  const lacking = (section: string, names: readonly string[]) =>
    names.filter((name) => text.includes(`"${name}"`) && !all[section]!.some((entry) => entry.name === name));
  const folders = lacking("folders", [...newFolders, "Projects"]).map((name) => ({ name, description: "" }));
  const groups = lacking("groups", [...newGroups, "designers"]).map((name) => ({
    name,
    description: "",
    members: { add: [] },
  }));
  return { ...content, folders: [...all.folders!, ...folders], groups: [...all.groups!, ...groups] };
}

export function desiredOf(chance: Chance, state: SandboxState): Desired {
  const content = withNamedThings(new FileWriter(chance, state).content());
  return {
    content,
    prune: chance.hits(0.7),
    allowEmpty: chance.hits(0.3),
    allowLockout: chance.hits(0.3),
    maxRemovals: chance.hits(0.35) ? chance.whole(0, 15) : undefined,
  };
}
