/** What the file of a story says, and what others do meanwhile. */
import type { Content, Entry } from "../../../src/organization/place.ts";
import { addChannel, addGroup } from "../../../src/sandbox/organization.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { Chance } from "../chance.ts";

type State = Sandbox["state"];

const moment = Date.UTC(2026, 0, 15, 12);
const newGroups = ["crew", "inner", "outer"];
const newChannels = ["deck", "hold"];

const livePeople = ({ users }: State) =>
  [...users.values()]
    .filter(({ is_active, bot_type }) => is_active && bot_type === null)
    .map(({ delivery_email }) => delivery_email);

const some = <T>(chance: Chance, all: readonly T[], share: number): T[] => all.filter(() => chance.hits(share));

export function contentOf(chance: Chance, state: State): Content {
  const people = livePeople(state);
  const who = () =>
    chance.of<unknown>(["role:moderators", "designers", { users: some(chance, people, 0.3) }, ...newGroups]);
  const groups: Entry[] = newGroups.map((name, n) => ({
    name,
    description: `About ${name}`,
    members: some(chance, people, 0.3),
    subgroups: some(chance, newGroups.slice(0, n), 0.4),
    ...(chance.hits(0.6) && { can_mention_group: who() }),
  }));
  const designers = {
    name: "designers",
    description: chance.of(["Who draws", "Draw"]),
    members: { add: some(chance, people, 0.3) },
    ...(chance.hits(0.5) && { can_join_group: who() }),
  };
  const channels: Entry[] = [
    ...newChannels.map((name) => ({
      name,
      description: `About ${name}`,
      folder: chance.of(["Work", "Play"]),
      is_private: chance.hits(0.5),
      subscribers: some(chance, people, 0.4),
      ...(chance.hits(0.6) && { can_send_message_group: who() }),
    })),
    {
      name: "design",
      description: chance.of(["Sketches", "Drafts"]),
      folder: chance.of(["Work", "Projects", null]),
      subscribers: { add: some(chance, people, 0.3) },
    },
    { name: "council", description: "Talk", ...(chance.hits(0.3) && { was: "general" }) },
  ];
  return {
    settings: { description: chance.of(["We make things", "We break things"]) },
    profile_fields: [
      { name: "Team", type: "options", options: some(chance, ["Red", "Green"], 0.7).concat("Blue"), hint: "" },
    ],
    folders: [
      { name: "Work", description: "" },
      { name: "Play", description: "" },
    ],
    groups: [...groups, designers],
    channels,
    linkifiers: [{ pattern: "Q(?P<n>[0-9]+)", url_template: "https://x.example/{n}" }],
    playgrounds: [{ name: "Try", pygments_language: "Rust", url_template: "https://p.example/{code}" }],
  };
}

/** What somebody else did, and when. */
export type Foreign = { readonly at: number } & (
  | { readonly described: "streams" | "user_groups"; readonly id: number }
  | { readonly made: "streams" | "user_groups"; readonly id: number }
);

interface Place {
  readonly state: State;
}

/** Subscribes, renames, describes, makes and archives things, as somebody else. */
export function meddle(chance: Chance, { state }: Place, at: number): Foreign[] {
  const owner = [...state.users.values()].find(({ role }) => role === 100)!.user_id;
  const user = chance.of([...state.users.keys()]);
  const channel = (name: string) => [...state.channels.values()].find((each) => each.name === name);
  const group = (name: string) => [...state.groups.values()].find((each) => each.name === name);
  switch (chance.whole(0, 5)) {
    case 0: {
      const found = channel(chance.of(["design", "council"]));
      if (!found) return [];
      found.description = `foreign ${at}`;
      return [{ at, described: "streams", id: found.stream_id }];
    }
    case 1: {
      const found = group("designers")!;
      found.description = `foreign ${at}`;
      return [{ at, described: "user_groups", id: found.id }];
    }
    case 2: {
      const name = chance.of(newGroups);
      if (group(name)) return [];
      const made = addGroup(
        state,
        { now: moment },
        { name, description: "a stranger's", creator_id: user, members: [] },
      );
      made.settings.can_manage_group = { direct_members: [owner], direct_subgroups: [] };
      return [{ at, made: "user_groups", id: made.id }];
    }
    case 3: {
      const name = chance.of(newChannels);
      if (channel(name)) return [];
      const made = addChannel(state, { now: moment }, { name, description: "a stranger's", creator_id: user } as never);
      made.subscribers.add(owner);
      return [{ at, made: "streams", id: made.stream_id }];
    }
    case 4: {
      const found = channel("design");
      if (found && !found.subscribers.delete(user)) found.subscribers.add(user);
      return [];
    }
    default: {
      const found = group("designers")!;
      if (!found.members.delete(user)) found.members.add(user);
      return [];
    }
  }
}
