/** What is not done without being asked for, and what cannot simply be undone. */

import { describe, expect, test } from "vitest";
import { withDestructive } from "../../src/organization/destructive.ts";
import type { Difference } from "../../src/organization/difference.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { plan, type Way } from "./planned.ts";
import { snapshotIn } from "./snapshots.ts";

const guards = async (text: string, way?: Way): Promise<string[]> =>
  (await plan(text, way)).guards.map(({ says, lifted }) => `${says}${lifted ? ` (${lifted})` : ""}`);

const destructive = async (text: string, way?: Way): Promise<string[]> =>
  (await plan(text, way)).comparison.differences.flatMap(({ destructive = [] }) => [...destructive]);

const group = (state: State, name: string) => [...state.groups.values()].find((each) => each.name === name)!;
const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

/** Thirty people more in a group of writers. */
const crowd = (state: State): void => {
  for (const id of [9, 10, 11]) group(state, "writers").members.add(id);
  for (const n of many(26)) {
    const user = {
      ...[...state.users.values()][3]!,
      user_id: 100 + n,
      delivery_email: `c${n}@sandbox.example`,
      full_name: `C${n}`,
      profile: new Map(),
    };
    state.users.set(user.user_id, user);
    group(state, "writers").members.add(user.user_id);
  }
};

describe("guards", () => {
  test.each<[text: string, standing: string[], lifts: Way, way?: Way]>([
    [
      "people: [{ email: iris@sandbox.example, role: administrator }]",
      [
        "the organization would have no owner: Iris Owner",
        "your account would lose the role owner (--allow-lockout)",
        "your account could no longer manage group designers (--allow-lockout)",
      ],
      { allowLockout: true },
    ],
    [
      "people: [{ email: iris@sandbox.example, role: administrator }, { email: adam@sandbox.example, role: owner }]",
      [
        "your account would lose the role owner (--allow-lockout)",
        "your account could no longer manage group designers (--allow-lockout)",
      ],
      { allowLockout: true },
    ],
    [
      "people: [{ email: iris@sandbox.example, active: false }, { email: adam@sandbox.example, role: owner }]",
      ["your account would be deactivated"],
      { allowLockout: true },
    ],
    [
      "channels: [{ name: staff, subscribers: { remove: [iris@sandbox.example] } }]",
      ["your account could no longer read channel staff (--allow-lockout)"],
      { allowLockout: true },
    ],
    ["channels: [{ name: staff, archived: true, subscribers: { remove: [iris@sandbox.example] } }]", [], {}],
    [
      "groups: [{ name: writers, can_manage_group: nobody }]\nsettings: { can_manage_all_groups: designers }",
      ["your account could no longer manage group writers, manage group makers (--allow-lockout)"],
      { allowLockout: true },
      {
        given: (state) => {
          group(state, "designers").settings.can_manage_group = { direct_members: [8], direct_subgroups: [] };
          group(state, "makers").settings.can_manage_group = group(state, "role:nobody").id;
        },
      },
    ],
    [
      "groups: [{ name: designers, members: [] }]",
      ["all members of group designers would be removed (--allow-empty)"],
      { allowEmpty: true },
    ],
    [
      "channels: [{ name: announcements, subscribers: [] }]",
      ["all subscribers of channel announcements would be removed (--allow-empty)"],
      { allowEmpty: true },
    ],
    ["groups: [{ name: writers, members: [] }]", [], {}],
    [
      "groups: [{ name: makers, subgroups: [] }]",
      ["all subgroups of group makers would be removed (--allow-empty)"],
      { allowEmpty: true },
    ],
    ["groups: [{ name: writers, members: { remove: ['id:9', 'id:10', 'id:11'] } }]", [], {}, { given: crowd }],
    [
      "groups: [{ name: writers, members: { remove: ['id:9', 'id:10', 'id:11', 'id:12'] } }]",
      ["4 of 30 members of group writers would be removed: more than a tenth (--max-removals)"],
      { maxRemovals: 4 },
      { given: crowd },
    ],
    [
      `groups: [{ name: writers, members: { remove: [${many(11)
        .map((n) => `'id:${100 + n}'`)
        .join(", ")}] } }]`,
      ["11 removals in one run: members of group writers (11) (--max-removals)"],
      { maxRemovals: 11 },
      { given: crowd },
    ],
    [
      `groups: [{ name: designers, members: { add: [mona@sandbox.example] } }, { name: writers, members: { remove: [${many(
        11,
      )
        .map((n) => `'id:${100 + n}'`)
        .join(", ")}] } }]`,
      ["11 removals in one run: members of group writers (11) (--max-removals)"],
      { maxRemovals: 11 },
      { given: crowd },
    ],
    [
      `people: [${many(11)
        .map((n) => `{ email: c${n}@sandbox.example, role: guest }`)
        .join(", ")}]`,
      ["11 removals in one run: roles of people (11) (--max-removals)"],
      { maxRemovals: 11 },
      { given: crowd },
    ],
    [
      `people: [${many(11)
        .map((n) => `{ email: c${n}@sandbox.example, profile: { Phone: null } }`)
        .join(", ")}]`,
      ["11 removals in one run: values of profile field Phone (11) (--max-removals)"],
      { maxRemovals: 11 },
      {
        given: (state) => {
          crowd(state);
          for (const n of many(26)) state.users.get(100 + n)!.profile.set(1, "12");
        },
      },
    ],
    ["settings: { description: x }", [], {}, { level: 20 }],
    ["settings: { description: x }", [], {}, { level: 180 }],
  ])("%s", async (text, standing, lifts, way) => {
    expect(await guards(text, way)).toEqual(standing);
    expect(await guards(text, { ...way, ...lifts })).toEqual(standing.filter((says) => !/\(--/.test(says)));
  });

  test.each<[options: string[], standing: string[]]>([
    [many(23).map((n) => `O${n}`), []],
    [
      many(22).map((n) => `O${n}`),
      ["3 of 25 options of profile field Office would be removed: more than a tenth (--max-removals)"],
    ],
    [["Else"], ["25 removals in one run: options of profile field Office (25) (--max-removals)"]],
  ])("options count as people in a list do: %s", async (options, standing) => {
    const given = ({ profile_fields }: State) => {
      const all = many(25).map((n) => [`${n}`, { text: `O${n}`, order: `${n}` }]);
      profile_fields.find(({ name }) => name === "Office")!.field_data = JSON.stringify(Object.fromEntries(all));
    };
    const others = ["Phone", "About me", "Mentor"].map((name) => ({ name }));
    const text = JSON.stringify({
      complete: ["profile_fields"],
      profile_fields: [...others.slice(0, 2), { name: "Office", options }, ...others.slice(2)],
    });
    expect(await guards(text, { given, prune: true })).toEqual(standing);
  });

  test("--max-removals replaces both limits, the stricter way too", async () => {
    const text =
      "groups: [{ name: designers, members: { remove: [adam@sandbox.example, cora@sandbox.example] } }, { name: writers, members: [] }]";
    expect(await guards(text, { allowEmpty: true, maxRemovals: 3 })).toEqual([]);
    expect(await guards(text, { allowEmpty: true, maxRemovals: 2 })).toEqual([
      "3 removals: --max-removals allows 2 (--max-removals)",
    ]);
  });

  test("the last domain stays while addresses are restricted to domains", async () => {
    const restricted = (state: State) => {
      state.domains.push({ id: 1, domain: "a.example", allow_subdomains: false });
      state.organization.settings.emails_restricted_to_domains = true;
    };
    const text = "complete: [domains]\ndomains: []\n";
    const opening = "the last domain would be removed while emails_restricted_to_domains is on: any address could join";
    expect(await guards(text, { given: restricted, prune: true })).toEqual([opening]);
    expect(
      await guards(`${text}settings: { emails_restricted_to_domains: false }`, { given: restricted, prune: true }),
    ).toEqual([]);
    expect(
      await guards("complete: [domains]\ndomains: [{ domain: b.example, allow_subdomains: true }]", {
        given: restricted,
        prune: true,
      }),
    ).toEqual([]);
  });
});

describe("destructive", () => {
  const announcing = ({ organization, channels }: State) => {
    const general = [...channels.values()].find(({ name }) => name === "general")!;
    organization.settings.signup_announcements_stream_id = general.stream_id;
  };

  const membersMakeGroups = (state: State) => {
    state.organization.permissions.can_create_groups = group(state, "role:members").id;
  };

  const announcingDesign = ({ organization }: State) => {
    organization.settings.new_stream_announcements_stream_id = 1;
    organization.settings.signup_announcements_stream_id = 1;
  };

  /** Days for the organization, and for the channel design. */
  const keeping =
    (organization: number, design: number) =>
    (state: State): void => {
      state.organization.settings.message_retention_days = organization;
      [...state.channels.values()].find(({ name }) => name === "design")!.message_retention_days = design;
    };

  test.each<[text: string, says: string[], way?: Way]>([
    ["channels: [{ name: design, archived: true }]", ["archives it"]],
    [
      "channels: [{ name: general, archived: true }]",
      [
        "archives it",
        "leaves signup_announcements_stream_id without a channel",
        "takes it from the channels of new people",
      ],
      { given: announcing },
    ],
    [
      "settings: { signup_announcements_stream_id: design }\nchannels: [{ name: general, archived: true }]",
      ["archives it", "takes it from the channels of new people"],
      { given: announcing },
    ],
    ["groups: [{ name: makers, deactivated: true }]", ["deactivates it"]],
    ["people: [{ email: otis@sandbox.example, active: false }]", ["deactivates them, and their bots"]],
    ["channels: [{ name: staff, subscribers: [iris@sandbox.example] }]", ["takes 1 person out"]],
    ["groups: [{ name: makers, subgroups: [] }]", ["takes 2 groups out"]],
    ["channels: [{ name: design, is_private: true }]", ["makes it private: those not subscribed lose its history"]],
    ["channels: [{ name: staff, is_private: false }]", ["makes it public: everyone can read it"]],
    ["channels: [{ name: design, is_web_public: true }]", ["shows it to the web, without an account"]],
    [
      "channels: [{ name: design, message_retention_days: 7 }]\nsettings: { message_retention_days: 1 }",
      [
        "deletes messages older than 1 day, in direct messages and in 6 channels without a retention of their own",
        "deletes messages after 7 days",
      ],
    ],
    [
      "channels: [{ name: design, message_retention_days: realm_default }]",
      ["deletes messages after 30 days"],
      { given: keeping(30, -1) },
    ],
    ["channels: [{ name: design, message_retention_days: realm_default }]", [], { given: keeping(-1, 7) }],
    ["channels: [{ name: design, message_retention_days: 60 }]", [], { given: keeping(-1, 7) }],
    [
      "settings: { message_retention_days: 30 }\nchannels: [{ name: design, message_retention_days: realm_default }]",
      [
        "deletes messages older than 30 days, in direct messages and in 7 channels without a retention of their own",
        "deletes messages after 30 days",
      ],
      { given: keeping(-1, -1) },
    ],
    ["settings: { message_retention_days: 60 }", [], { given: keeping(30, 7) }],
    [
      "settings: { invite_required: false, disallow_disposable_email_addresses: false }",
      ["lets anybody join without an invitation", "lets people join with disposable e-mail addresses"],
      {
        given: ({ organization }) =>
          void Object.assign(organization.settings, {
            invite_required: true,
            disallow_disposable_email_addresses: true,
          }),
      },
    ],
    [
      "settings: { emails_restricted_to_domains: false }",
      ["lets people join with an e-mail address of any domain"],
      {
        given: ({ organization }) => {
          organization.settings.emails_restricted_to_domains = true;
        },
      },
    ],
    [
      "settings: { enable_spectator_access: true }",
      ["shows 1 channel to the web, without an account: announcements"],
      {
        given: ({ organization }) => {
          organization.settings.enable_spectator_access = false;
        },
      },
    ],
    ["people: [{ email: gwen@sandbox.example, role: moderator }]", ["gives a guest the role moderator"]],
    [
      "people: [{ email: dora@sandbox.example, active: true }]",
      ["brings back an administrator"],
      {
        given: ({ users }) => {
          [...users.values()].find(({ full_name }) => full_name === "Dora Departed")!.role = 200;
        },
      },
    ],
    ["people: [{ email: dora@sandbox.example, active: true }]", []],
    ["channels: [{ name: design, message_retention_days: unlimited }]", []],
    [
      "people: [{ email: otis@sandbox.example, role: administrator }, { email: adam@sandbox.example, role: owner }]",
      ["gives the role administrator", "takes the role administrator", "gives the role owner"],
    ],
    ["people: [{ email: new@sandbox.example, invite: true, role: administrator }]", ["gives the role administrator"]],
    ["people: [{ email: otis@sandbox.example, role: guest }]", []],
    ["settings: { can_create_groups: writers }", ["takes can_create_groups from 4 people and 1 bot"]],
    ["settings: { can_create_groups: role:everyone }", []],
    [
      "settings: { can_create_groups: 'role:fullmembers', waiting_period_threshold: 5000 }",
      ["takes can_create_groups from 2 people and 1 bot"],
      { given: membersMakeGroups },
    ],
    ["channels: [{ name: announcements, is_web_public: false }]", []],
    [
      "folders: [{ name: Projects, archived: true }]\nchannels: [{ name: design, folder: null }]",
      ["archives it"],
      { given: announcingDesign },
    ],
    ["channels: [{ name: general, description: x }]", [], { given: announcing }],
    [
      "settings: { signup_announcements_stream_id: null }\nchannels: [{ name: general, archived: true }]",
      ["archives it", "takes it from the channels of new people"],
      { given: announcing },
    ],
    [
      "channels: [{ name: design, archived: true }]",
      ["archives it", "leaves new_stream_announcements_stream_id, signup_announcements_stream_id without a channel"],
      { given: announcingDesign },
    ],
    ["profile_fields: [{ name: Office, options: [Berlin, Lisbon, Oslo] }]", []],
    [
      "complete: [profile_fields]\nprofile_fields: [{ name: Phone }, { name: About me }, { name: Office, options: [Lisbon] }, { name: Mentor }]",
      ["removes 1 option, which 2 people have"],
      {
        prune: true,
        given: ({ users }) => {
          users.get(9)!.profile.set(3, "0");
          users.get(10)!.profile.set(3, "0");
          users.get(11)!.profile.set(3, "1");
        },
      },
    ],
    [
      "complete: [profile_fields]\nprofile_fields: [{ name: Phone }, { name: Office }, { name: Mentor }]",
      ["removes it, and with it the values of 1 person"],
      { prune: true, given: ({ users }) => void users.get(9)!.profile.set(2, "") },
    ],
    ["linkifiers: [{ pattern: '(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})' }, { pattern: '#(?P<id>[0-9]+)' }]", []],
    [
      "channels: [{ name: design, can_send_message_group: role:members }]",
      ["takes can_send_message_group from 1 person"],
    ],
    ["settings: { authentication_methods: { Email: false } }", ["switches off signing in with Email"]],
    [
      "complete: [linkifiers, profile_fields]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]\nprofile_fields: [{ name: About me }, { name: Office, options: [Berlin] }]",
      [
        "removes 1 option, which 1 person has",
        "removes it",
        "removes it, and with it the values of 2 people",
        "removes it, and with it the values of 1 person",
      ],
      { prune: true },
    ],
    [
      "groups: [{ name: crew, members: [otis@sandbox.example] }]\nchannels: [{ name: new, is_private: true }]\nfolders: [{ name: Past, archived: false }]",
      [],
    ],
  ])("%s", async (text, says, way) => {
    expect((await destructive(text, way)).sort()).toEqual([...says].sort());
  });

  const organization = (field: string, from: unknown, to: unknown): Difference => ({
    section: "settings",
    name: "settings",
    action: "update",
    fields: [{ field, from, to }],
  });

  test.each<[difference: Difference, says: string[] | undefined]>([
    [
      organization(
        "authentication_methods",
        { Email: true, LDAP: true, GitHub: true, SAML: false },
        { Email: true, LDAP: false, GitHub: false, SAML: false },
      ),
      ["switches off signing in with LDAP, GitHub"],
    ],
    [organization("authentication_methods", { Email: true, SAML: false }, { SAML: true, Email: true }), undefined],
    // Whom the server does not tell of cannot be counted.
    [organization("can_create_groups", undefined, { users: [], groups: [] }), undefined],
  ])("%j", async (difference, says) => {
    const snapshot = await snapshotIn(fresh({ level: 442 }));
    expect(withDestructive(snapshot, snapshot, [difference])).toEqual([
      says ? { ...difference, destructive: says } : difference,
    ]);
  });

  test("a permission that names a group loses whom that group loses with it", async () => {
    const text =
      "groups: [{ name: designers, members: [cora@sandbox.example] }]\nsettings: { can_create_groups: designers }";
    const given = (state: State) => {
      state.organization.permissions.can_create_groups = group(state, "makers").id;
    };
    expect(await destructive(text, { given })).toEqual(["takes 1 person out", "takes can_create_groups from 3 people"]);
  });
});

describe("people who get a message", () => {
  test.each<[text: string, count: number]>([
    [
      "channels: [{ name: design, subscribers: { add: [mona@sandbox.example, adam@sandbox.example] } }, { name: general, subscribers: { remove: [mona@sandbox.example] } }]",
      2,
    ],
    [
      "channels: [{ name: design, subscribers: { add: [mona@sandbox.example] } }]\ngroups: [{ name: writers, members: [mona@sandbox.example] }]",
      2,
    ],
    [
      "channels: [{ name: new, subscribers: [mona@sandbox.example] }]\ngroups: [{ name: crew, members: [otis@sandbox.example] }]",
      0,
    ],
    ["groups: [{ name: writers, members: { add: [iris@sandbox.example, beep-bot@sandbox.example] } }]", 0],
  ])("%s", async (text, count) => {
    expect((await plan(text)).messages).toBe(count);
  });
});

describe("removals of things", () => {
  const says = (gone: number, of: number, section: string) =>
    gone > 10
      ? [`${gone} removals in one run: ${section} (${gone}) (--max-removals)`]
      : gone * 10 > of
        ? [`${gone} of ${of} ${section} would be removed: more than a tenth (--max-removals)`]
        : [];
  const sizes = [
    [2, 20],
    [3, 20],
    [3, 21],
    [2, 21],
    [11, 120],
  ] as const;
  const expected = (gone: number, of: number, section: string) => (of > 20 ? says(gone, of, section) : []);

  test("things that are archived count beside those that are live", async () => {
    for (const [gone, of] of sizes) {
      const add = (state: State, id: number, deactivated: boolean) =>
        state.groups.set(id, { ...group(state, "makers"), id, name: `c${id}`, subgroups: new Set(), deactivated });
      const given = (state: State) => {
        for (const n of many(of - 3)) add(state, 100 + n, false);
        for (const n of many(9)) add(state, 300 + n, true);
      };
      const text = JSON.stringify({ groups: many(gone).map((n) => ({ name: `c${100 + n}`, deactivated: true })) });
      expect(await guards(text, { given, level: 478 })).toEqual(expected(gone, of, "groups"));
    }
  });

  test("things that are removed count beside all", async () => {
    for (const [gone, of] of sizes) {
      const domain = (n: number) => `c${n}.example`;
      const given = ({ domains }: State) => {
        for (const n of many(of)) domains.push({ id: 100 + n, domain: domain(n), allow_subdomains: true });
      };
      const stays = many(of).slice(gone);
      const text = JSON.stringify({ complete: ["domains"], domains: stays.map((n) => ({ domain: domain(n) })) });
      expect(await guards(text, { given, prune: true })).toEqual(expected(gone, of, "domains"));
    }
  });
});
