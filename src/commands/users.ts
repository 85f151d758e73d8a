import { deactivateUser, reactivateUser, updateUser } from "../api/people.ts";
import { getUsers } from "../api/users.ts";
import type { TextInput } from "../argv/text-input.ts";
import { guardFlags } from "../cli/guard-flags.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, requiredFlag } from "../cli/parameter.ts";
import { things, userParameter } from "../cli/thing-parameters.ts";
import {
  address,
  choice,
  journalFlag,
  negatedOnly,
  newName,
  planDetails,
  text,
  toggle,
} from "../cli/value-parameters.ts";
import { changes, changesEach } from "../cli/verb.ts";
import { bulkVerb, changingVerb, rawCustomVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { roleNames, roles } from "../model/person.ts";
import { deletionBinds, deletionFlag } from "./users/account-deletion.ts";
import { listUsers, userFilters } from "./users/list.ts";
import type { ProfileValue } from "./users/show.ts";

const profileValues = () => import("./users/show.ts");

/** Sets custom profile fields, by the names of the fields. */
const profileFields: CommandParameter<ProfileValue[], string[]> = {
  metavar: "field=value",
  doc: "a custom profile field, by name or id; no value clears it. People are written as elsewhere, options by their text",
  many: true,
  offers: { of: "profile-field=value" },
  read: async (texts: string[], at) => (await profileValues()).splitAssignments(texts, at),
  find: async (values: never, at) => (await profileValues()).findProfileValues(values, at),
};

const passwordColumn: CommandParameter<TextInput, TextInput> = {
  metavar: "column",
  doc: "in a batch: the column with the password",
  keepsOrigin: true,
  offers: { of: "free" },
};

export const usersNoun = noun("People and bots", {
  list: readingVerb({
    operation: getUsers,
    binds: { ids: "user_ids" },
    conflicts: [
      ["active", "deactivated"],
      ["humans", "bots", "owner"],
    ],
    doc: "List people and bots, including deactivated ones; a table is sorted by name",
    operations: ["group.members.list", "channel.subscribers", "profile-field.list", "events.register"],
    flags: userFilters,
    examples: [
      "zulipctl users list --role guest --active -o ids",
      "zulipctl users list -o csv --fields user_id,full_name,delivery_email",
      "zulipctl users list --fields user_id,Phone,Mentor",
      "zulipctl users list --group makers --not-in-channel design",
      "zulipctl users list --humans --inactive-for 180d",
      "zulipctl users list --role member --not-in cora@sandbox.example,otis@sandbox.example",
    ],
    run: async () => listUsers,
  }),

  show: readingVerb({
    doc: "Show one account with its profile",
    operations: ["profile-field.list"],
    operands: { user: userParameter() },
    examples: ["zulipctl users show cora@sandbox.example", "zulipctl users show me -o yaml"],
    run: async () => (await import("./users/show.ts")).showUser,
  }),

  channels: readingVerb({
    sortable: true,
    doc: "List the channels of somebody, as far as this account can see them",
    note: "Archived channels are left out; from feature level 458 on, a note names them.",
    operations: ["users.channels", "channel.list", "events.register"],
    operands: { user: userParameter() },
    examples: ["zulipctl users channels cora@sandbox.example"],
    run: async () => (await import("./users/show.ts")).channelsOfUser,
  }),

  groups: readingVerb({
    sortable: true,
    doc: "List the groups of somebody, with the groups in between",
    operations: ["group.list"],
    operands: { user: userParameter() },
    examples: ["zulipctl users groups cora@sandbox.example"],
    run: async () => (await import("./group/members.ts")).groupsOfUser,
  }),

  create: bulkVerb({
    doc: "Create an account with a password",
    operations: ["users.create", "users.me"],
    flags: {
      email: requiredFlag(address("the address")),
      fullName: requiredFlag(newName("the name", "text")),
      passwordStdin: toggle("read the password from the first line of stdin; prompts at a terminal"),
      passwordColumn,
      randomPassword: toggle("in a batch: a password that nobody sees, for people who sign in otherwise"),
    },
    conflicts: [
      ["passwordStdin", "passwordColumn", "randomPassword"],
      ["passwordColumn", "randomPassword"],
    ],
    note: "This requires the permission can_create_users, which only the server's command line grants. An account that has the address and the name already stays as it is.",
    examples: [
      "cat password | zulipctl users create --email ada@sandbox.example --full-name 'Ada Lovelace' --password-stdin",
    ],
    run: async () => {
      const { createAccount, planAccountOfRow } = await import("./users/create.ts");
      return { row: planAccountOfRow, all: () => createAccount };
    },
  }),

  update: changes(updateUser, {
    doc: "Change an account's name, role, address and profile, all or nothing",
    operations: ["profile-field.list"],
    asks: "sometimes",
    operands: { user: userParameter() },
    flags: {
      fullName: newName("the new name", "text"),
      role: choice(roleNames, "the new role", "role", roles),
      email: address("the new address"),
      profileField: profileFields,
      allowLockout: toggle("let the account in use give up its own role"),
    },
    binds: { email: "new_email", profileField: "profile_data" },
    someFlag: true,
    args: ({ user, fullName, role, email, profileField }) => ({
      user_id: user.id,
      full_name: fullName,
      role: role && roles[role],
      new_email: email,
      profile_data: profileField?.map(({ id, value }) => ({ id, value })),
    }),
    named: ({ profileField }) => ({ profile_data: profileField?.map(({ name }) => `profile field ${name}`) }),
    target: "user",
    done: "Updated user {target}: {changed}.",
    checkCommand: ({ user }) => `users show ${user.id}`,
    examples: [
      "zulipctl users update cora@sandbox.example --role moderator --profile-field Office=Lisbon",
      "zulipctl users update 12 --profile-field 'Mentor=iris@sandbox.example' --profile-field Phone=",
    ],
  }),

  deactivate: changingVerb({
    operation: deactivateUser,
    doc: "Deactivate people with their bots and invitations, or bots",
    operations: ["bots.deactivate", "invite.list"],
    asks: "always",
    operands: { users: things("user", { doc: "ids, e-mails, name:…, group:…; @file or - reads one a line" }) },
    binds: { comment: "deactivation_notification_comment", ...deletionBinds },
    flags: {
      comment: text("send them an e-mail with this comment; an empty text sends it without a comment"),
      delete: deletionFlag,
    },
    note: "Groups, channels and messages are kept for a reactivation, unless --delete names them, which requires feature level 459. Deleting messages requires can_delete_any_message_group. Without its profile an account keeps its address below feature level 490, and can be reactivated as Deleted user; from 490 on it loses its address, and nobody can reactivate it. Bots are reactivated one by one.",
    examples: [
      "zulipctl users deactivate otis@sandbox.example --yes",
      "zulipctl users list --role guest --active -o ids | zulipctl users deactivate - --comment 'Thank you' --yes",
    ],
    run: async () => (await import("./users/deactivate.ts")).planDeactivation,
  }),

  offboard: rawCustomVerb({
    doc: "Hand over what somebody holds to somebody else, then deactivate them",
    operations: [
      "events.register",
      "folder.list",
      "invite.list",
      "bots.update",
      "bots.deactivate",
      "channel.subscribe",
      "channel.unsubscribe",
      "channel.update",
      "group.members",
      "group.update",
      "organization.update",
      "users.deactivate",
    ],
    asks: "always",
    exits: [6],
    operands: {
      users: things("user", { doc: "ids, e-mails, name:…, group:…; @file or - reads one a line" }),
    },
    flags: {
      to: userParameter("who takes their place in permissions and gets their bots: id, e-mail, name:… or me"),
      check: toggle("send nothing: list what they would leave behind"),
      comment: text("send them an e-mail with this comment; an empty text sends it without a comment"),
      delete: deletionFlag,
      ...guardFlags,
      details: planDetails,
      journal: journalFlag,
      verify: negatedOnly("do not verify the result"),
    },
    note: "zulipctl hands over permissions, channels without another subscriber and bots, removes the person from groups, then deactivates the account. With --delete profile, nobody can reactivate the account from feature level 490 on. It prints the plan and asks once; --yes answers. If a run ends early, run the same command again. Only administrators and owners can do this.",
    examples: [
      "zulipctl users offboard otis@sandbox.example --check",
      "zulipctl users offboard otis@sandbox.example --to cora@sandbox.example --dry-run",
      "zulipctl users offboard otis@sandbox.example --to cora@sandbox.example --yes",
    ],
    run: async (shell) => (await import("./users/offboard.ts")).offboardPeople(shell),
    many: true,
    records: "run",
    organizations: true,
  }),

  reactivate: changesEach(reactivateUser, {
    doc: "Reactivate people and bots; the bots of a person stay deactivated",
    asks: "sometimes",
    things: things("user", { doc: "ids, e-mails, name:…; @file or - reads one a line", restores: true }),
    args: ({ id }) => ({ user_id: id }),
    done: "Reactivated user {target}.",
    already: "User {target} is active already.",
    readsFirst: true,
    checkCommand: "users list --deactivated",
    examples: ["zulipctl users reactivate dora@sandbox.example"],
  }),

  "api-key": rawCustomVerb({
    doc: "Replace your API key; the old one stops working at once",
    operations: ["users.me.regenerate-key"],
    asks: "sometimes",
    local: true,
    records: "run",
    flags: {
      regenerate: requiredFlag(toggle("make a new key")),
      print: toggle("write the key to stdout if zulipctl does not store it"),
    },
    note: "The new key replaces the old one in the keychain or the file.",
    examples: ["zulipctl users api-key --regenerate --yes"],
    run: async () => (await import("./users/account.ts")).apiKey,
  }),
});
