/** Makes an organization of any size, the same each time: departments, channels in folders, some unusual settings. */
import { makeSnapshot, type Snapshot } from "../../../src/organization/snapshot.ts";

const first =
  "Ada Amara Anders Anika Aoife Bashir Beatriz Boris Camille Chidi Clara Daniel Divya Elena Emre Farah Felix Fatou Gita Goran Hana Hugo Ines Ismail Jana Joon Karim Kira Laila Leif Lucia Marek Mei Milan Nadia Niamh Noor Olga Omar Paulo Petra Quentin Rania Ravi Rosa Samir Sofia Tariq Tomas Uma Viktor Wanjiru Xenia Yara Yusuf Zoe".split(
    " ",
  );
const last =
  "Abara Almeida Andersen Bakker Banerjee Castillo Costa Demir Dubois Eriksen Fischer Fontaine Garcia Haddad Hansen Ibrahim Ivanova Jansen Jovanovic Kaya Keller Khan Kim Kovac Larsen Lehmann Lopez Mancini Mbeki Mehta Moreau Nakamura Novak Nwosu Okafor Olsen Petrov Quinn Rao Rossi Sato Schmidt Silva Singh Sorensen Tanaka Torres Usman Varga Vogel Weber Wong Yilmaz Zhang Zimmermann".split(
    " ",
  );
const departments =
  "engineering research operations design finance legal people marketing sales support security facilities".split(" ");
const subjects =
  "planning reviews incidents releases onboarding budget hiring roadmap docs standup retrospectives vendors travel audits announcements random help metrics customers training".split(
    " ",
  );

export interface Size {
  people: number;
  channels: number;
  groups: number;
}

export function large({ people, channels, groups }: Size): Snapshot {
  let state = 20260115;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
  const chance = (percent: number): boolean => random(100) < percent;
  const some = (count: number, from: readonly number[]): number[] => [
    ...new Set([...Array(count)].map(() => from[random(from.length)]!)),
  ];

  const roleOf = (n: number): number =>
    n < 3 ? 100 : n < 3 + people / 500 ? 200 : n < 3 + people / 100 ? 300 : n % 25 === 0 ? 600 : 400;
  const person = (n: number) => {
    const name = `${first[random(first.length)]} ${last[random(last.length)]}`;
    const email = `${name.toLowerCase().replace(" ", ".")}${n}@example.org`;
    const role = roleOf(n);
    const flags = { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600, is_bot: false };
    return { user_id: 1000 + n, full_name: name, email, delivery_email: email, role, ...flags };
  };
  const accounts = [...Array(people)].map((_, n) => person(n));
  const bots = [...Array(Math.ceil(people / 200))].map((_, n) => ({
    ...person(people + n),
    full_name: `${subjects[n % subjects.length]}-bot-${n}`,
    role: n === 3 ? 200 : 400,
    is_admin: n === 3,
    is_guest: false,
    is_owner: false,
    is_bot: true,
    bot_type: n % 3 ? 1 : 2,
    bot_owner_id: 1000 + random(people),
  }));
  const everybody = [...accounts, ...bots];
  const ids = (role: number): number[] => everybody.filter((one) => one.role === role).map(({ user_id }) => user_id);
  const members = ids(400);
  const guests = ids(600);

  const [nobody, owners, administrators, moderators, full, all, everyone, internet] = [1, 2, 3, 4, 5, 6, 7, 8] as const;
  const named = (direct_members: number[] = [], direct_subgroups: number[] = []) => ({
    direct_members,
    direct_subgroups,
  });
  const system = (id: number, name: string, members: number[], inner?: number) => ({
    id,
    name: `role:${name}`,
    description: "",
    members,
    direct_subgroup_ids: inner === undefined ? [] : [inner],
    is_system_group: true,
    deactivated: false,
    can_manage_group: nobody,
  });
  const roleGroups = [
    system(nobody, "nobody", []),
    system(owners, "owners", ids(100)),
    system(administrators, "administrators", ids(200), owners),
    system(moderators, "moderators", ids(300), administrators),
    system(full, "fullmembers", members.slice(0, -Math.ceil(members.length / 50)), moderators),
    system(all, "members", members, full),
    system(everyone, "everyone", guests, all),
    system(internet, "internet", [], everyone),
  ];

  const groupName = (n: number): string => {
    const department = departments[n % departments.length]!;
    return n < departments.length
      ? department
      : `${department}-${subjects[Math.floor(n / departments.length) % subjects.length]}${n >= 240 ? `-${n}` : ""}`;
  };
  const group = (): number => 100 + random(groups);
  const own = [...Array(groups)].map((_, n) => {
    const level = Math.floor(n / Math.ceil(groups / 10));
    const inner =
      level < 9 && chance(70) ? 100 + Math.min(groups - 1, n + Math.ceil(groups / 10) + random(3)) : undefined;
    return {
      id: 100 + n,
      name: groupName(n),
      description: "",
      members: n % 41 === 17 ? [] : some(5 + random(Math.max(6, people / 80)), members),
      direct_subgroup_ids: inner === undefined || inner === 100 + n ? [] : [inner],
      is_system_group: false,
      deactivated: n % 60 === 59,
      creator_id: 1000,
      can_add_members_group: chance(30) ? named(some(2, members)) : administrators,
      can_join_group: chance(20) ? all : nobody,
      can_leave_group: everyone,
      can_manage_group: n % 37 === 5 ? named() : n % 29 === 7 ? nobody : chance(25) ? group() : administrators,
      can_mention_group: chance(20) ? all : everyone,
      can_remove_members_group: administrators,
    };
  });
  const folders = departments.slice(0, 8).map((name, n) => ({
    id: n + 1,
    name: name.slice(0, 1).toUpperCase() + name.slice(1),
    description: "",
    is_archived: false,
  }));
  const channel = (_: unknown, n: number) => {
    const hidden = chance(40);
    const department = departments[n % departments.length]!;
    const subject = subjects[Math.floor(n / departments.length) % subjects.length]!;
    const of = hidden
      ? [1 + random(8), 10 + random(40), 60 + random(Math.max(1, people / 20))][random(3)]!
      : 20 + random(Math.max(1, people / 3));
    const web = !hidden && chance(3);
    return {
      stream_id: 500 + n,
      name: n >= 240 ? `${department}-${subject}-${n}` : `${department}-${subject}`,
      description: "",
      invite_only: hidden,
      is_web_public: web,
      history_public_to_subscribers: !hidden || chance(50),
      is_archived: n % 50 === 49,
      folder_id: n % departments.length < folders.length ? (n % departments.length) + 1 : null,
      subscribers:
        n % 67 === 11
          ? [1000 + random(people)]
          : [...new Set([...some(of, members), ...(chance(12) ? some(3, guests) : [])])],
      creator_id: 1000,
      can_add_subscribers_group: chance(25) ? group() : nobody,
      can_administer_channel_group: chance(30) ? group() : n % 43 === 9 ? named() : named(some(1, members)),
      can_remove_subscribers_group: chance(20) ? group() : administrators,
      can_send_message_group: chance(15) ? moderators : chance(10) ? named(some(2, members), [group()]) : everyone,
      can_subscribe_group: chance(15) ? group() : nobody,
    };
  };

  const settings = (value: number | ReturnType<typeof named>, names: string) =>
    Object.fromEntries(names.split(" ").map((name) => [name, value]));
  const organization: Record<string, number | ReturnType<typeof named>> = {
    ...settings(owners, "can_create_web_public_channel_group can_manage_all_groups"),
    ...settings(administrators, "create_multiuse_invite_group can_manage_billing_group"),
    ...settings(moderators, "can_delete_any_message_group"),
    ...settings(named([], [moderators, 100]), "can_create_bots_group"),
    ...settings(full, "can_create_public_channel_group"),
    ...settings(all, "can_add_custom_emoji_group can_add_subscribers_group can_create_groups can_invite_users_group"),
    ...settings(all, "can_create_private_channel_group can_create_write_only_bots_group"),
    ...settings(all, "can_move_messages_between_channels_group"),
    ...settings(everyone, "can_access_all_users_group can_delete_own_message_group can_mention_many_users_group"),
    ...settings(everyone, "can_move_messages_between_topics_group can_resolve_topics_group"),
    ...settings(everyone, "direct_message_initiator_group direct_message_permission_group"),
    ...settings(nobody, "can_summarize_topics_group"),
  };
  const few = new Set(["can_create_web_public_channel_group", "can_manage_all_groups"]);
  const byDefault = (name: string): string => {
    if (few.has(name)) return "role:owners";
    if (/mention_many|multiuse|billing|delete_any/.test(name)) return "role:administrators";
    return organization[name] === everyone ? "role:everyone" : "role:members";
  };
  const guestsMay = /own_message|between_topics|resolve|mention_many|summarize|direct_message|access_all/;
  const stream = {
    add_subscribers: "nobody",
    administer_channel: "nobody",
    remove_subscribers: "administrators",
    send_message: "everyone",
    subscribe: "nobody",
  };
  const ofGroup = {
    add_members: "nobody",
    join: "nobody",
    leave: "everyone",
    manage: "nobody",
    mention: "everyone",
    remove_members: "nobody",
  };
  const supported = (defaults: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(defaults).map(([name, group]) => [
        `can_${name}_group`,
        {
          allow_everyone_group: group === "everyone" || name === "remove_subscribers",
          default_group_name: `role:${group}`,
        },
      ]),
    );

  return makeSnapshot({
    taken: Date.UTC(2026, 0, 15, 12),
    site: "https://chat.example.org",
    email: accounts[0]!.email,
    registered: {
      zulip_version: "11.0",
      zulip_feature_level: 421,
      user_id: 1000,
      is_owner: true,
      is_admin: true,
      realm_name: "Meridian Institute",
      realm_users: everybody,
      realm_non_active_users: [...Array(Math.ceil(people / 40))].map((_, n) => person(people * 2 + n)),
      realm_user_groups: [...roleGroups, ...own],
      subscriptions: [],
      unsubscribed: [],
      never_subscribed: [...Array(channels)].map(channel),
      realm_default_streams: [],
      custom_profile_fields: [],
      realm_domains: [],
      realm_plan_type: 1,
      realm_enable_spectator_access: true,
      server_web_public_streams_enabled: true,
      server_can_summarize_topics: false,
      ...Object.fromEntries(Object.entries(organization).map(([name, value]) => [`realm_${name}`, value])),
      server_supported_permission_settings: {
        realm: Object.fromEntries(
          Object.keys(organization).map((name) => [
            name,
            { allow_everyone_group: guestsMay.test(name), default_group_name: byDefault(name) },
          ]),
        ),
        stream: supported(stream),
        group: supported(ofGroup),
      },
    },
    folders,
    invites: [],
  });
}
