import { deactivateBot, isShortName, updateBot } from "../api/bots.ts";
import { reactivateUser } from "../api/people.ts";
import { accountState, getUsers, userAddressText } from "../api/users.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, type ReadContext, requiredFlag, withDefault } from "../cli/parameter.ts";
import { things, userParameter } from "../cli/thing-parameters.ts";
import { choice, newName, text, toggle } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { customVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { namesOf } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import { botKindName, botKinds } from "../model/bot.ts";
import { readNewName } from "../notation/name.ts";

const kinds = namesOf(botKinds);

const bot = { ...userParameter("id, e-mail or name:…"), metavar: "bot" };
const several = { doc: "ids, e-mails or name:…; @file or - reads one a line", bots: true } as const;

/** Servers accept a whole address as the start of another one. */
function readStart(typed: string, flag: string): string {
  const start = readNewName(typed, flag);
  if (start.includes("@"))
    throw new Usage(`${flag}: "${start}" is a whole address`, { hint: "Write only its start, without -bot." });
  return start;
}

const shortName = (doc: string): CommandParameter<string, string> => ({
  ...newName(doc, "text"),
  read: (typed: string, { flag }: ReadContext) => readStart(typed, flag),
});

/** Servers check the address of a new bot, but change an address to anything: `"a b-bot"@chat.example.com`. */
const newShortName = (doc: string): CommandParameter<string, string> => ({
  ...newName(doc, "text"),
  read(typed: string, { flag }: ReadContext) {
    const start = readStart(typed, flag);
    if (isShortName(start)) return start;
    throw new Usage(`${flag}: "${start}" cannot be the start of an e-mail address`, {
      hint: 'Use at most 60 characters: letters without accents, digits, ".", "-" and "_".',
    });
  },
});

const keeping = {
  store: choice(["keychain", "file"], "keep the key there, as a profile with the bot's name", "place"),
  print: toggle("write the key to stdout and store nothing"),
};

const conflicts = [["print", "store"]] as const;

export const botsNoun = noun("Bots, their owners and keys", {
  list: lists(getUsers, {
    doc: "List bots with owner and kind, without their keys; a table is sorted by name",
    flags: { owner: userParameter("only those of this person"), deactivated: toggle("include deactivated ones") },
    note: "A guest sees only some of them.",
    records: ({ members }) => members,
    only:
      ({ owner, deactivated }) =>
      ({ is_bot, is_active, bot_owner_id }) =>
        is_bot && (deactivated || is_active !== false) && (!owner || bot_owner_id === owner.id),
    id: "user_id",
    tableOrder: "full_name",
    columns: ({ deactivated }, all) => ({
      ID: "user_id",
      NAME: {
        value: ({ full_name }) => full_name,
        style: ({ is_active }) => (is_active === false ? "dim" : undefined),
      },
      EMAIL: { value: userAddressText, whole: true },
      KIND: { value: ({ bot_type }) => botKindName(bot_type) },
      OWNER: {
        names: "user",
        knownNames: new Map(all.map(({ user_id, full_name }) => [user_id, full_name])),
        ids: ({ bot_owner_id }) => bot_owner_id,
      },
      STATE: deactivated && { value: accountState },
    }),
    examples: ["zulipctl bots list --deactivated", "zulipctl bots list --owner me -o ids"],
  }),

  show: readingVerb({
    doc: "Show one bot, and when it last wrote in a public channel",
    operations: ["messages.list"],
    operands: { bot },
    examples: ["zulipctl bots show beep-bot@sandbox.example"],
    run: async () => (await import("./users/show.ts")).showBot,
  }),

  create: customVerb({
    doc: "Create a bot",
    operations: ["bots.create", "bots.update"],
    asks: "sometimes",
    records: "run",
    operands: { name: newName("the name that people see") },
    flags: {
      shortName: requiredFlag(shortName("the start of the address: build gives build-bot@…")),
      type: withDefault("generic", choice(kinds, "what it does", "kind", botKinds)),
      payloadUrl: text("where an outgoing webhook sends messages", "url"),
      owner: withDefault("you", userParameter("its owner")),
      ...keeping,
    },
    conflicts,
    examples: [
      "zulipctl bots create 'Build server' --short-name build --store keychain",
      "zulipctl bots create Alerts --short-name alerts --type incoming-webhook --owner cora@sandbox.example --print",
    ],
    run: async () => (await import("./bots/keys.ts")).createBotAccount,
  }),

  update: changes(updateBot, {
    doc: "Rename a bot, give it another address, or give it to somebody else",
    operands: { bot },
    flags: {
      name: newName("the new name", "text"),
      shortName: newShortName("the start of its new address: build gives build-bot@…; profiles here follow"),
      owner: userParameter("the new owner"),
    },
    binds: { bot: "bot_id", name: "full_name", owner: "bot_owner_id" },
    someFlag: true,
    args: ({ bot, name, shortName, owner }) => ({
      bot_id: bot.id,
      full_name: name,
      short_name: shortName,
      bot_owner_id: owner?.id,
    }),
    next: async ({ bot, shortName }, context) =>
      shortName === undefined ? undefined : (await import("./bots/bot-address.ts")).followAddress(context, bot.id),
    target: "bot",
    done: "Updated bot {target}: {changed}.",
    checkCommand: ({ bot }) => `bots show ${bot.id}`,
    note: "You lose a bot that you give away, unless you are an administrator. A new address requires feature level 447. The key stays the same, but programs log in with the new address.",
    examples: ["zulipctl bots update beep-bot@sandbox.example --owner cora@sandbox.example"],
  }),

  "rotate-key": customVerb({
    doc: "Make a new key for a bot; the old one stops working at once",
    operations: ["bots.regenerate-key"],
    asks: "always",
    records: "run",
    operands: { bot },
    flags: keeping,
    conflicts,
    examples: ["zulipctl bots rotate-key beep-bot@sandbox.example --print --yes"],
    run: async () => (await import("./bots/keys.ts")).rotateBotKey,
  }),

  deactivate: changesEach(deactivateBot, {
    doc: "Deactivate bots: their keys stop working",
    operations: ["channel.list", "channel.subscribers"],
    things: things("user", several),
    args: ({ id }) => ({ bot_id: id }),
    confirm: { verb: "Deactivate", one: "bot" },
    done: "Deactivated bot {target}.",
    already: "Bot {target} is deactivated already.",
    readsFirst: true,
    checkCommand: "bots list --deactivated",
    examples: ["zulipctl bots deactivate beep-bot@sandbox.example --yes"],
  }),

  reactivate: changesEach(reactivateUser, {
    doc: "Reactivate bots: their keys work again",
    things: things("user", { ...several, restores: true }),
    args: ({ id }) => ({ user_id: id }),
    done: "Reactivated bot {target}.",
    already: "Bot {target} is active already.",
    readsFirst: true,
    checkCommand: "bots list",
    note: "You become the owner of a bot whose owner is deactivated.",
    examples: ["zulipctl bots reactivate 'name:Old Bot'"],
  }),
});
