/** The organization that the sandbox starts with. It has people of every role and things of every kind. */
import { newField } from "../model/profile-field.ts";
import { sendDirectly } from "./messages.ts";
import { addFolder, type BuildOptions } from "./organization.ts";
import { nextId, type SandboxState, type StoredUser, topicKey } from "./state.ts";
import { build, type WorldFile } from "./world-file.ts";

const person = (key: string, full_name: string, role: WorldFile["users"][number]["role"], password: string) => ({
  key,
  full_name,
  email: `${key}@sandbox.example`,
  role,
  bot: false,
  active: true,
  password,
});

const all = ["iris", "adam", "mona", "cora", "otis", "gwen", "beep"];

const world: WorldFile = {
  web_public: true,
  users: [
    person("iris", "Iris Owner", 100, "iris-sandbox-password"),
    person("adam", "Adam Admin", 200, "adam-sandbox-password"),
    person("mona", "Mona Moderator", 300, "mona-sandbox-password"),
    person("cora", "Cora Member", 400, "cora-sandbox-password"),
    person("otis", "Otis Member", 400, "otis-sandbox-password"),
    person("gwen", "Gwen Guest", 600, "gwen-sandbox-password"),
    { ...person("beep", "Beep Bot", 400, ""), email: "beep-bot@sandbox.example", bot: true },
    { ...person("dora", "Dora Departed", 400, "dora-sandbox-password"), active: false },
  ],
  channels: [
    {
      name: "design",
      description: "Sketches and **drafts**",
      privacy: "public",
      subscribers: ["iris", "cora", "otis", "gwen"],
    },
    { name: "general", description: "Everyone", privacy: "public", default: true, subscribers: [...all, "dora"] },
    { name: "announcements", description: "Open to the world", privacy: "web", subscribers: ["iris", "adam", "cora"] },
    { name: "staff", description: "Private", privacy: "private", subscribers: ["iris", "adam"] },
    {
      name: "council",
      description: "Private, with its whole history",
      privacy: "shared",
      subscribers: ["iris", "mona", "cora"],
    },
    {
      name: "moderation requests",
      description: "Reported messages",
      privacy: "private",
      subscribers: ["iris", "adam", "mona"],
    },
    { name: "attic", description: "Archived", privacy: "public", archived: true, subscribers: ["iris", "cora"] },
  ].map((each) => ({ archived: false, default: false, ...each }) as WorldFile["channels"][number]),
  groups: [
    { name: "designers", description: "Who draws", members: ["adam", "cora"], subgroups: [], creator: "adam" },
    { name: "writers", description: "Who writes", members: ["otis"], subgroups: [], creator: "iris" },
    {
      name: "makers",
      description: "Designers and writers",
      members: ["mona"],
      subgroups: ["designers", "writers"],
      creator: "iris",
    },
  ],
  messages: [
    { channel: "design", topic: "logo", sender: "cora", content: "A first **sketch**: see https://example.com/logo" },
    { channel: "design", topic: "logo", sender: "iris", content: "Lovely. @**Otis Member** what do you think?" },
    { channel: "design", topic: "✔ colours", sender: "otis", content: "Settled: green & white" },
    { channel: "general", topic: "release plan", sender: "iris", content: "We release on Friday; hello world" },
    { channel: "general", topic: "release plan", sender: "adam", content: "I wrote the release notes" },
    { channel: "general", topic: "", sender: "gwen", content: "Hello, I am new here" },
    { channel: "announcements", topic: "welcome", sender: "iris", content: "Welcome to everybody who reads along" },
    { channel: "staff", topic: "budget", sender: "adam", content: "The plan for next year" },
    { channel: "council", topic: "votes", sender: "mona", content: "Please vote by Monday" },
    { channel: "attic", topic: "old times", sender: "iris", content: "Kept for the record" },
  ],
};

function find<T>(all: ReadonlyMap<number, T>, is: (each: T) => boolean): T {
  for (const each of all.values()) if (is(each)) return each;
  throw new Error("the seed names something that it does not have");
}

/** Makes a new copy. It is the same for the same clock and random numbers. */
export function seed(options: BuildOptions): SandboxState {
  const state = build(world, options);
  const { now } = options;
  const user = (key: string) => find(state.users, ({ delivery_email }) => delivery_email.startsWith(`${key}@`));
  const channel = (name: string) => find(state.channels, (each) => each.name === name);
  const [iris, cora, otis] = [user("iris"), user("cora"), user("otis")];

  const folder = (name: string, description: string) =>
    addFolder(state, options, { name, description, creator_id: iris.user_id });
  channel("design").folder_id = folder("Projects", "What we are **making**").id;
  folder("Past", "Folders nobody needs").is_archived = true;
  state.organization.mail_gateway = true;
  state.organization.settings.moderation_request_channel_id = channel("moderation requests").stream_id;

  const sendDirect = (from: typeof iris, to: (typeof iris)[], content: string) =>
    sendDirectly(state, { sender_id: from.user_id, to: to.map(({ user_id }) => user_id), content, now });
  sendDirect(iris, [cora], "Could you look at the logo today?");
  sendDirect(cora, [iris, otis], "Lunch at noon?");

  const sketch = find(state.messages, () => true);
  sketch.received.set(iris.user_id, new Set(["starred", "read"]));
  sketch.reactions.push({ user_id: iris.user_id, emoji_name: "heart" });
  cora.topic_policies.set(topicKey(channel("general").stream_id, "release plan"), "followed");
  otis.muted_channels.add(channel("general").stream_id);

  const upload = ({ user_id: owner_id }: StoredUser, name: string, size: number, ...message_ids: number[]) => {
    const id = nextId(state, "attachment");
    const path_id = `2/${id.toString(16).padStart(2, "0")}/sandbox${id}/${name}`;
    state.attachments.set(id, { id, owner_id, name, path_id, size, create_time: now, message_ids });
    state.organization.upload_bytes += size;
  };
  upload(iris, "minutes.txt", 1200);
  upload(iris, "budget.csv", 5321);
  upload(cora, "sketch.png", 48211, sketch.id);
  upload(cora, "notes.txt", 311);

  const offices = { 0: { text: "Berlin", order: "1" }, 1: { text: "Lisbon", order: "2" } };
  state.profile_fields.push(
    { ...newField, id: 1, order: 1, name: "Phone", type: 1, display_in_profile_summary: true },
    { ...newField, id: 2, order: 2, name: "About me", type: 2, hint: "Markdown" },
    { ...newField, id: 3, order: 3, name: "Office", type: 3, field_data: JSON.stringify(offices) },
    { ...newField, id: 4, order: 4, name: "Mentor", type: 6 },
  );
  state.counters.field = 4;
  cora.profile
    .set(1, "+49 30 1234")
    .set(2, "I *draw*.")
    .set(3, "1")
    .set(4, JSON.stringify([iris.user_id]));
  iris.profile.set(1, "+49 30 5678");

  const linkifier = (pattern: string, url_template: string) =>
    state.linkifiers.push({
      id: nextId(state, "linkifier"),
      pattern,
      url_template,
      example_input: null,
      reverse_template: null,
      alternative_url_templates: [],
    });
  linkifier("#(?P<id>[0-9]+)", "https://tracker.example/issues/{id}");
  linkifier("(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})", "https://code.example/{repo}/commit/{commit}");
  return state;
}
