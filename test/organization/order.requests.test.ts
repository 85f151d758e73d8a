/** What a difference takes: its requests, each in a line with what is told of it, in `requests`. */
import { expect, test } from "vitest";
import type { Difference, FieldChange } from "../../src/organization/difference.ts";
import { orderRequests, type Step } from "../../src/organization/order.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { create, group, groups, set, update } from "./differences.ts";
import { snapshotIn } from "./snapshots.ts";

interface Beside {
  readonly level?: number;
  readonly as?: number;
  readonly given?: (state: State) => void;
}

/** Ids of what the plan makes stand as `#1`, by the number of the difference; long lists by their ends. */
const shown = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/-9007199254740\d+/g, (id) => `"#${Number(id) - Number.MIN_SAFE_INTEGER}"`)
    .replace(/(\d+),(?:\d+,){9,}(\d+)/g, "$1…$2");

function line({ part, fields, change: { operation, args, words, ...change }, needs }: Step): string {
  const { makes, ids, newChannel, ifChanged } = change;
  const told = [
    words!.what === fields.join(", ") ? "" : words!.what || "told as nothing",
    makes === undefined ? "" : `makes ${shown(makes)} (${ids})`,
    newChannel === undefined ? "" : `new channel ${newChannel}`,
    ifChanged ? "unless it is so" : "",
    needs.length ? `needs ${needs}` : "",
  ];
  const rest = told.filter(Boolean).map((each) => `; ${each}`);
  return `${part}: ${operation.name} ${shown(args)} [${fields.join(", ")}]${rest.join("")}`;
}

async function requests(
  differences: readonly Difference[],
  { level = 478, as, given }: Beside = {},
): Promise<string[]> {
  const sandbox = fresh({ level });
  given?.(sandbox.state);
  return orderRequests(await snapshotIn(sandbox, as), differences, { verifyWith: "x" }).map(line);
}

type Case = [what: string, differences: Difference[], beside?: Beside];

/** The cases with their requests, as a text. */
async function told(cases: readonly Case[]): Promise<string> {
  const all: string[] = [];
  for (const [what, differences, beside] of cases)
    all.push([what, ...(await requests(differences, beside)).map((each) => `    ${each}`)].join("\n"));
  return `${all.join("\n\n")}\n`;
}

const settings = (...fields: FieldChange[]) => update("settings", undefined, "settings", fields);
const remove = (
  section: Difference["section"],
  id: number | undefined,
  name: string,
  from: object = {},
): Difference => ({
  section,
  name,
  action: "remove",
  from: { ...from },
  ...(id !== undefined && { id }),
});
const reorder = (section: Difference["section"], to: unknown[]): Difference => ({
  section,
  name: section,
  action: "reorder",
  from: [],
  to: to as number[],
});
const crew = create("groups", "crew", { description: "x" });
const deck = create("channels", "deck", {});

test("settings", async () => {
  const cases: Case[] = [
    [
      "booleans go together by who may change them, everything else by itself",
      [
        settings(
          { field: "require_unique_names", from: false, to: true },
          { field: "invite_required", from: true, to: false },
          { field: "name", from: "Sandbox", to: "x" },
          { field: "name_changes_disabled", from: false, to: true },
          { field: "disallow_disposable_email_addresses", from: true, to: false },
          { field: "emails_restricted_to_domains", from: false, to: true },
          { field: "enable_spectator_access", from: true, to: false },
        ),
      ],
    ],
    [
      "channels go by their ids, none as -1",
      [
        settings(
          { field: "new_stream_announcements_stream_id", from: null, to: 1 },
          { field: "signup_announcements_stream_id", from: 1, to: null },
          { field: "zulip_update_announcements_stream_id", from: 1, to: { new: "deck" } },
        ),
        deck,
      ],
    ],
    [
      "permissions go with what they were, where the server has a form for that",
      [
        settings(
          { field: "can_create_groups", from: groups(14), to: groups() },
          { field: "can_manage_all_groups", from: groups(), to: { users: [9, 8], groups: [17] } },
          { field: "can_create_bots_group", from: groups(), to: { users: [], groups: [{ new: "crew" }] } },
        ),
        crew,
      ],
      {
        given: ({ organization }) =>
          set(organization.permissions, { can_create_bots_group: { direct_members: [], direct_subgroups: [] } }),
      },
    ],
    [
      "ways to sign in go with those that stay as they are",
      [settings({ field: "authentication_methods", from: { Email: true }, to: { GitHub: true } })],
    ],
    [
      "settings of new people go in one request",
      [
        update("new_users", undefined, "new_users", [
          { field: "enter_sends", to: true },
          { field: "color_scheme", to: 2 },
        ]),
      ],
    ],
  ];
  await expect(await told(cases)).toMatchFileSnapshot("requests/settings.txt");
});

test("collections", async () => {
  const rust = [
    { field: "name", to: "Try" },
    { field: "pygments_language", to: "Rust" },
  ];
  const playground = ({ playgrounds, organization }: State) => {
    playgrounds.push({ id: 1, name: "Try", pygments_language: "Rust", url_template: "https://a.example/{code}" });
    set(organization.settings, { default_code_block_language: "Rust" });
  };
  const cases: Case[] = [
    ["a new folder", [create("folders", "Work", {})]],
    [
      "a folder, each attribute by itself",
      [
        update("folders", 1, "Work", [
          { field: "name", from: "Projects", to: "Work" },
          { field: "description", from: "", to: "x" },
        ]),
      ],
    ],
    ["a folder that is archived", [update("folders", 1, "Projects", [], "archive")]],
    [
      "a folder that is brought back",
      [update("folders", 2, "Past", [{ field: "description", from: "", to: "x" }], "unarchive")],
    ],
    ["folders in another order", [reorder("folders", [2, { new: "A" }, 1]), create("folders", "A", {})]],
    [
      "a new folder of a name that another gives up, and of one that another's description was",
      [
        create("folders", "Projects", {}),
        create("folders", "Old", {}),
        update("folders", 1, "Work", [
          { field: "description", from: "Old", to: "New" },
          { field: "name", from: "Projects", to: "Work" },
        ]),
      ],
    ],
    [
      "a folder that is archived when all are in order",
      [update("folders", 1, "Projects", [], "archive"), reorder("folders", [2, 1])],
    ],
    [
      "a new profile field",
      [
        create("profile_fields", "Team", {
          name: "Team",
          type: "options",
          hint: "h",
          required: true,
          display_in_profile_summary: true,
          editable_by_user: false,
          options: [
            { key: "0", text: "A" },
            { key: "7", text: "B" },
          ],
        }),
      ],
    ],
    [
      "a new profile field with data",
      [create("profile_fields", "Hub", { type: "account", field_data: { subtype: "github" } })],
    ],
    [
      "a profile field, everything at once",
      [
        update("profile_fields", 3, "Place", [
          { field: "name", from: "Office", to: "Place" },
          { field: "hint", from: "", to: "h" },
          { field: "options", from: [], to: [{ key: "1", text: "L" }] },
          { field: "display_in_profile_summary", from: false, to: true },
        ]),
      ],
    ],
    [
      "room in the summary is made before it is taken, and then kept",
      [
        update("profile_fields", 2, "About me", [{ field: "display_in_profile_summary", from: false, to: true }]),
        update("profile_fields", 1, "Phone", [{ field: "display_in_profile_summary", from: true, to: false }]),
        create("profile_fields", "A", { type: "short_text", display_in_profile_summary: true }),
        remove("profile_fields", 4, "Mentor"),
        create("profile_fields", "B", { type: "short_text", display_in_profile_summary: false }),
      ],
    ],
    [
      "profile fields in another order",
      [reorder("profile_fields", [4, 3, 1]), remove("profile_fields", 2, "About me")],
    ],
    ["a new linkifier", [create("linkifiers", "A", { url_template: "x", example_input: "y" })]],
    [
      "a linkifier, of which all is said again",
      [update("linkifiers", 1, "#", [{ field: "example_input", from: null, to: "#1" }])],
    ],
    [
      "a linkifier with another pattern",
      [
        update("linkifiers", 1, "B", [{ field: "pattern", from: "#(?P<id>[0-9]+)", to: "B" }]),
        create("linkifiers", "#(?P<id>[0-9]+)", { url_template: "x" }),
      ],
    ],
    [
      "linkifiers in another order",
      [
        remove("linkifiers", 1, "#"),
        reorder("linkifiers", [2]),
        create("linkifiers", "A", { url_template: "x" }),
        create("linkifiers", "B", { url_template: "x" }),
      ],
    ],
    [
      "a new domain",
      [
        create("domains", "a.example", {}),
        create("domains", "b.example", { domain: "B.example", allow_subdomains: true }),
      ],
    ],
    [
      "a domain that changes, and one that goes",
      [
        remove("domains", undefined, "a.example"),
        update("domains", undefined, "b.example", [{ field: "allow_subdomains", from: false, to: true }]),
      ],
    ],
    [
      "a new playground",
      [
        create("playgrounds", "Try (C)", { name: "Try", pygments_language: "C", url_template: "x" }),
        create("playgrounds", "Else (C)", { name: "Else", pygments_language: "C", url_template: "y" }),
      ],
    ],
    [
      "a playground that changes is removed and made anew, and the default language put back",
      [update("playgrounds", 1, "Try (Rust)", [...rust, { field: "url_template", to: "x" }])],
      { given: playground },
    ],
    [
      "a playground that goes, whose language is the default one",
      [remove("playgrounds", 1, "Try (Rust)", { name: "Try", pygments_language: "Rust" })],
      { given: playground },
    ],
    [
      "a default language that goes with its playground",
      [
        remove("playgrounds", 1, "Try (Rust)", { name: "Try", pygments_language: "Rust" }),
        settings({ field: "default_code_block_language", from: "Rust", to: "C" }),
      ],
      { given: playground },
    ],
  ];
  await expect(await told(cases)).toMatchFileSnapshot("requests/collections.txt");
});

test("people", async () => {
  const value = (field: unknown, to: unknown): FieldChange => ({
    field: "profile",
    of: { field: field as number, name: "F" },
    from: null,
    to,
  });
  const cases: Case[] = [
    [
      "everything of somebody at once",
      [
        update("people", 11, "Cora", [
          { field: "full_name", from: "Cora", to: "C" },
          { field: "role", from: "member", to: "guest" },
          value(1, "x"),
          value(4, [8, 9]),
          value(2, null),
        ]),
      ],
    ],
    [
      "a value of a field that the plan makes",
      [
        update("people", 11, "Cora", [value({ new: "Team" }, "x")]),
        create("profile_fields", "Team", { type: "short_text" }),
      ],
    ],
    [
      "a value after the options that it is one of",
      [
        update("people", 11, "Cora", [value(3, "2")]),
        update("profile_fields", 3, "Office", [{ field: "options", from: [], to: [] }]),
        update("profile_fields", 4, "Mentor", [{ field: "hint", from: "", to: "x" }]),
      ],
    ],
    [
      "other roles than that of owners",
      [
        update("people", 11, "Cora", [{ field: "role", from: "member", to: "guest" }]),
        update("people", 9, "Adam", [{ field: "role", from: "administrator", to: "owner" }]),
      ],
    ],
    [
      "people in a profile, who are back before, and not gone yet",
      [
        update("people", 11, "Cora", [value(4, [15, 12])]),
        update("people", 12, "Otis", [], "deactivate"),
        update("people", 15, "Dora", [], "reactivate"),
      ],
    ],
    [
      "owners are made before others are none",
      [
        update("people", 8, "Iris", [{ field: "role", from: "owner", to: "member" }]),
        update("people", 9, "Adam", [{ field: "role", from: "administrator", to: "owner" }]),
      ],
    ],
    [
      "whoever comes back and changes",
      [update("people", 15, "Dora", [{ field: "full_name", from: "Dora Departed", to: "Dora" }], "reactivate")],
    ],
    [
      "whoever is let go and changes",
      [update("people", 12, "Otis", [{ field: "role", from: "member", to: "guest" }], "deactivate")],
    ],
    [
      "one's own account comes last",
      [
        update("people", 8, "Iris", [{ field: "full_name", from: "Iris Owner", to: "Iris" }]),
        update("people", 12, "Otis", [{ field: "full_name", from: "", to: "O" }]),
      ],
    ],
    [
      "an invitation",
      [
        {
          section: "people",
          name: "n@x.example",
          action: "invite",
          to: { email: "n@x.example", role: "guest", groups: [17, { new: "crew" }], channels: [{ new: "deck" }, 1] },
        },
        crew,
        deck,
      ],
    ],
    [
      "an invitation to a domain that is added, and no more restricted",
      [
        { section: "people", name: "n@x.example", action: "invite", to: { email: "n@x.example" } },
        create("domains", "x.example", {}),
        settings({ field: "emails_restricted_to_domains", from: true, to: false }),
      ],
    ],
  ];
  await expect(await told(cases)).toMatchFileSnapshot("requests/people.txt");
});

test("groups", async () => {
  const members = (from: number[], to: number[]): FieldChange => ({ field: "members", from, to });
  const some = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  const back = update("people", 15, "Dora", [], "reactivate");
  const cases: Case[] = [
    ["a new one", [create("groups", "crew", {})]],
    [
      "a new one with all that it is",
      [
        create("groups", "crew", {
          name: "crew",
          description: "x",
          members: [8],
          subgroups: [17],
          can_join_group: groups(),
          can_manage_group: { users: [8], groups: [17] },
        }),
      ],
    ],
    [
      "everything of one, but for who is in it, at once",
      [
        update("groups", 17, "d", [
          { field: "name", from: "designers", to: "d" },
          { field: "description", from: "", to: "x" },
          { field: "can_join_group", from: groups(), to: groups(14) },
          { field: "can_leave_group", from: groups(15), to: groups() },
        ]),
      ],
    ],
    [
      "who is in one",
      [
        update("groups", 19, "makers", [
          members([10], [8, 9]),
          { field: "subgroups", from: [17, 18], to: [17, { new: "crew" }] },
        ]),
        crew,
      ],
    ],
    [
      "many who come, and many who go",
      [update("groups", 17, "designers", [members(some(1000, 1501), some(2000, 3001))])],
    ],
    [
      "whoever comes back into one by a request of their own",
      [update("groups", 17, "designers", [members([9], [9, 12, 15])]), back],
    ],
    ["nobody but who comes back", [update("groups", 17, "designers", [members([9], [9, 15])]), back]],
    [
      "one that is deactivated",
      [
        update("groups", 19, "makers", [{ field: "description", from: "", to: "x" }], "deactivate"),
        update("groups", 17, "designers", [], "deactivate"),
      ],
    ],
    [
      "one that is brought back",
      [update("groups", 17, "designers", [], "reactivate")],
      { given: (state) => set(group(state, "designers"), { deactivated: true }) },
    ],
    [
      "one that is brought back, and changes",
      [
        update(
          "groups",
          17,
          "designers",
          [{ field: "description", from: "", to: "x" }, members([9, 11], [9])],
          "reactivate",
        ),
      ],
      { given: (state) => set(group(state, "designers"), { deactivated: true }) },
    ],
    [
      "a new one of a name that another gives up",
      [create("groups", "designers", {}), update("groups", 17, "d", [{ field: "name", from: "designers", to: "d" }])],
    ],
    [
      "one that is deactivated when others have named it",
      [
        update("groups", 17, "designers", [], "deactivate"),
        { section: "people", name: "n@x.example", action: "invite", to: { email: "n@x.example", groups: [17] } },
      ],
    ],
    [
      "one that is brought back and leaves another",
      [
        update("groups", 19, "makers", [{ field: "subgroups", from: [17, 18], to: [18] }]),
        update("groups", 17, "designers", [], "reactivate"),
      ],
      { given: (state) => set(group(state, "designers"), { deactivated: true }) },
    ],
    ["one that nothing changes", [update("groups", 17, "designers", [])]],
  ];
  await expect(await told(cases)).toMatchFileSnapshot("requests/groups.txt");
});

test("channels", async () => {
  const changed = (...fields: FieldChange[]) => update("channels", 1, "design", fields);
  const subscribers = (from: number[], to: number[]): FieldChange => ({ field: "subscribers", from, to });
  const late = {
    name: "deck",
    description: "x",
    folder: 1,
    is_private: true,
    is_default_stream: true,
    history_public_to_subscribers: true,
    message_retention_days: 7,
    topics_policy: "inherit",
    subscribers: [8, 9],
    can_send_message_group: groups(17),
    can_create_topic_group: groups(17),
    can_delete_any_message_group: groups(17),
    can_delete_own_message_group: groups(17),
  };
  const cases: Case[] = [
    ["a new one", [create("channels", "deck", {})]],
    ["a new one with all that it is", [create("channels", "deck", late)]],
    ["a new one in no folder", [create("channels", "deck", { folder: null, description: "" })]],
    [
      "a new one in a new folder, for a new group",
      [
        create("channels", "deck", { folder: { new: "Work" }, can_send_message_group: groups({ new: "crew" }) }),
        create("folders", "Work", {}),
        crew,
      ],
    ],
    [
      "a new one for the web",
      [
        create("channels", "deck", { is_web_public: true }),
        settings({ field: "enable_spectator_access", from: false, to: true }),
      ],
    ],
    [
      "a new one of an older server",
      [create("channels", "deck", { description: "x", is_private: true })],
      { level: 416 },
    ],
    [
      "a new one of an older server, with subscribers",
      [create("channels", "deck", { subscribers: [9], is_default_stream: true })],
      { level: 200 },
    ],
    [
      "a new one of a server that makes none for new people",
      [create("channels", "deck", { subscribers: [9], is_default_stream: true })],
      { level: 199 },
    ],
    [
      "what can be refused for the same reason goes together",
      [
        changed(
          { field: "is_default_stream", from: false, to: true },
          { field: "folder", from: 1, to: null },
          { field: "description", from: "", to: "x" },
          { field: "message_retention_days", from: "realm_default", to: 7 },
          { field: "topics_policy", from: "inherit", to: "allow_empty_topic" },
          { field: "name", from: "design", to: "d" },
        ),
      ],
    ],
    [
      "permissions by themselves, with what they were",
      [
        changed(
          { field: "can_send_message_group", from: groups(15), to: groups(17) },
          { field: "can_subscribe_group", from: groups(), to: groups({ new: "crew" }) },
        ),
        crew,
      ],
    ],
    [
      "permissions of a server that takes the group alone",
      [changed({ field: "can_remove_subscribers_group", from: groups(11), to: groups(14) })],
      { level: 319 },
    ],
    [
      "one that is made private keeps its history open to its subscribers",
      [changed({ field: "is_private", from: false, to: true })],
    ],
    [
      "one that is made private, with its history said",
      [
        changed(
          { field: "is_private", from: false, to: true },
          { field: "history_public_to_subscribers", from: true, to: false },
        ),
      ],
    ],
    ["one that is opened", [update("channels", 5, "council", [{ field: "is_private", from: true, to: false }])]],
    [
      "one that is made private without its history",
      [update("channels", 1, "design", [{ field: "is_private", from: false, to: true }])],
      { given: ({ channels }) => set(channels.get(1)!, { history_public_to_subscribers: false }) },
    ],
    ["subscribers who come and go", [changed(subscribers([8, 11, 12], [8, 9]))]],
    ["those who go when others come in their stead", [changed(subscribers([11, 12], [9]))]],
    ["all who go", [changed(subscribers([8, 11], []))]],
    [
      "many who come, and go",
      [
        changed(
          subscribers(
            [8, ...Array.from({ length: 501 }, (_, n) => 1000 + n)],
            [8, ...Array.from({ length: 501 }, (_, n) => 3000 + n)],
          ),
        ),
      ],
    ],
    [
      "one that is archived",
      [update("channels", 1, "design", [{ field: "description", from: "", to: "x" }], "archive")],
    ],
    [
      "one that is archived before what it names",
      [
        update("channels", 1, "design", [], "archive"),
        update("groups", 17, "designers", [], "deactivate"),
        update("groups", 18, "writers", [], "deactivate"),
      ],
      {
        given: (state) =>
          set(state.channels.get(1)!.settings, {
            can_send_message_group: group(state, "designers").id,
            can_subscribe_group: { direct_members: [], direct_subgroups: [18] },
          }),
      },
    ],
    [
      "one whose name changes by case alone",
      [update("channels", 1, "Design", [{ field: "name", from: "design", to: "Design" }])],
    ],
    [
      "several people of a new one, of whom one comes back",
      [create("channels", "deck", { subscribers: [12, 15] }), update("people", 15, "Dora", [], "reactivate")],
    ],
    [
      "somebody who comes back, and is subscribed no more",
      [changed(subscribers([8, 15], [8])), update("people", 15, "Dora", [], "reactivate")],
    ],
    [
      "a permission of several groups, of which one is brought back",
      [
        changed({ field: "can_send_message_group", from: groups(15), to: { users: [9], groups: [18, 17] } }),
        update("groups", 17, "designers", [], "reactivate"),
      ],
      { given: (state) => set(group(state, "designers"), { deactivated: true }) },
    ],
    [
      "one that is archived when it is named no more",
      [
        update("channels", 1, "design", [], "archive"),
        settings({ field: "signup_announcements_stream_id", from: 1, to: 2 }),
        { section: "people", name: "n@x.example", action: "invite", to: { email: "n@x.example", channels: [1] } },
      ],
    ],
    [
      "history is closed when everyone may start topics",
      [
        update("channels", 5, "council", [
          { field: "description", from: "Private", to: "x" },
          { field: "history_public_to_subscribers", from: true, to: false },
          { field: "can_create_topic_group", from: groups(17), to: groups(15) },
        ]),
      ],
    ],
    [
      "one that is brought back",
      [
        update(
          "channels",
          7,
          "attic",
          [{ field: "description", from: "", to: "x" }, subscribers([8, 11], [8, 11, 12])],
          "unarchive",
        ),
      ],
    ],
  ];
  await expect(await told(cases)).toMatchFileSnapshot("requests/channels.txt");
});

/** Makers, who are put away, alone manage groups, and the owner is one of them. */
function byMakers(state: State): void {
  const makers = group(state, "makers");
  set(state.organization.permissions, { can_manage_all_groups: makers.id });
  set(makers, { deactivated: true });
  makers.members.add(8);
  for (const { settings, is_system_group } of state.groups.values())
    if (!is_system_group) set(settings, { can_manage_group: 9, can_add_members_group: 9 });
  set(makers.settings, { can_manage_group: { direct_members: [8], direct_subgroups: [] } });
}

test("circles", async () => {
  const value = (to: number[]): FieldChange => ({ field: "profile", of: { field: 4, name: "Mentor" }, from: null, to });
  const owner = (id: number, from: string, to: string) => update("people", id, `${id}`, [{ field: "role", from, to }]);
  const back = update("people", 15, "Dora", [], "reactivate");
  const deckFor = (to: object) =>
    update("channels", 4, "staff", [{ field: "can_send_message_group", from: groups(15), to }]);
  const cases: Case[] = [
    [
      "a permission that waits for who comes back expects nothing, and others do",
      [
        create("groups", "crew", { members: [15] }),
        deckFor(groups({ new: "crew" })),
        update("channels", 1, "design", [{ field: "can_send_message_group", from: groups(15), to: groups(17) }]),
        back,
      ],
    ],
    [
      "two fields that take what the other gives up: a place in the summary, and a name",
      [
        update("profile_fields", 1, "About me", [
          { field: "name", from: "Phone", to: "About me" },
          { field: "display_in_profile_summary", from: true, to: false },
        ]),
        update("profile_fields", 2, "Bio", [
          { field: "name", from: "About me", to: "Bio" },
          { field: "display_in_profile_summary", from: false, to: true },
        ]),
      ],
    ],
    [
      "who may manage a group is said last, and what need not wait at once",
      [
        create("groups", "crew", {
          can_join_group: groups({ new: "inner" }),
          can_manage_group: groups(17),
          can_leave_group: groups(17),
        }),
        create("groups", "inner", { subgroups: [{ new: "crew" }] }),
      ],
    ],
    [
      "a group is brought back before both parts of what is asked apart",
      [
        update(
          "groups",
          19,
          "makers",
          [
            { field: "members", from: [8, 10], to: [10] },
            { field: "subgroups", from: [17, 18], to: [18] },
          ],
          "reactivate",
        ),
        update("groups", 17, "designers", [], "deactivate"),
      ],
      { given: byMakers },
    ],
    [
      "what permissions name no more is deactivated after them, whatever they expect",
      [
        update("groups", 17, "designers", [], "deactivate"),
        update("groups", 18, "writers", [], "deactivate"),
        update("channels", 4, "staff", [
          { field: "can_send_message_group", from: groups(17), to: { users: [15], groups: [] } },
        ]),
        update("channels", 5, "council", [{ field: "can_send_message_group", from: groups(18), to: groups(14) }]),
        back,
      ],
    ],
    ["a permission that names who comes back expects nothing", [deckFor({ users: [12, 15], groups: [17] }), back]],
    [
      "the caller's own account comes last, but where others wait for it",
      [
        owner(8, "owner", "member"),
        owner(9, "administrator", "owner"),
        update("people", 12, "Otis", [value([11])]),
        create("folders", "A", {}),
        create("folders", "B", {}),
      ],
      { as: 200 },
    ],
  ];
  await expect(await told(cases)).toMatchFileSnapshot("requests/circles.txt");
});
