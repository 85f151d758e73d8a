import { botKindName, botKinds, createBot, deactivateBot, shortNameOf, updateBot } from "../../api/bots.ts";
import { reactivateUser } from "../../api/people.ts";
import { strip } from "../../common/folding.ts";
import { commandLine } from "../../notation/shell-words.ts";
import { phases } from "../order/phases.ts";
import { boolean, choice, nonEmpty, reference } from "../shape.ts";
import type { Person } from "../snapshot.ts";
import { accountsThat } from "./people.ts";
import { createDraft, type Draft, defined, nameIsFree, renamePiece, settingPiece } from "./requests.ts";
import type { Things } from "./section.ts";

const accounts = accountsThat((account) => account.is_bot && !Reflect.get(account, "is_system_bot"));

const numberOf = (kind: unknown): unknown => Reflect.get(botKinds, String(kind));

export const bots: Things<Person> = {
  ...accounts,
  doc: "Bots, by address. Their keys are never in a file.",
  one: "bot",
  plural: "bots",
  requiredToCreate: "name",
  members: {
    email: { shape: nonEmpty, doc: "The address: a new bot build-bot@… has the short name build.", needed: true },
    name: { shape: nonEmpty, doc: "The name that people see.", stored: strip, record: "full_name" },
    owner: {
      shape: reference("person"),
      doc: "The person who owns it; of a new bot by default the account that applies.",
      record: "bot_owner_id",
    },
    kind: { shape: choice(...Object.keys(botKinds)), doc: "What it does; generic by default. It cannot be changed." },
    payload_url: { shape: nonEmpty, doc: "Where a new outgoing webhook sends messages.", createOnly: true },
    active: { shape: boolean, doc: "false deactivates the bot, true reactivates it." },
  },
  attributes: () => ({
    owner: ({ bot_owner_id }) => bot_owner_id ?? undefined,
    kind: ({ bot_type }) => botKindName(bot_type),
  }),
  write: (field, value) => {
    if (field === "kind") return { bot_type: numberOf(value) };
    return field === "payload_url" || field === "active" ? {} : undefined;
  },
  fresh: ({ organization }) => ({
    is_bot: true,
    role: 400,
    bot_type: botKinds.generic,
    bot_owner_id: organization.user_id,
  }),
  requests: {
    // The key of a new bot is not shown. People who need a key rotate it.
    create: (context, creation) => {
      const { name: email, to } = creation;
      const { name, kind, owner, payload_url } = to;
      const rotateKey = commandLine(["bots", "rotate-key", email, "--store", "keychain"]);
      const createRequest = createDraft(context, creation, {
        operation: createBot,
        args: defined({ full_name: name, short_name: shortNameOf(email), bot_type: numberOf(kind), payload_url }),
        result: `created (get its key with "${rotateKey}")`,
        member: "user_id",
        key: String(name),
      });
      if (owner === undefined || owner === context.me) return [createRequest];
      const args = { bot_id: createRequest.makes.id, bot_owner_id: owner };
      return [createRequest, { phase: phases.people, operation: updateBot, args, result: "owner" }];
    },
    update: ({ snapshot }, { action, id, fields }) => {
      const args = { bot_id: id };
      const result = `${action}d`;
      const pieces = fields.map((change) =>
        change.field === "name"
          ? renamePiece("bots", id, change, strip, "full_name")
          : settingPiece(change.field, change.to, "bot_owner_id"),
      );
      const drafts: Draft[] = [];
      // Reactivation renames a bot with a taken name, and gives one without an owner to the caller: change these first.
      if (pieces.length) {
        const phase = action === "reactivate" ? phases.reactivate - 0.5 : phases.people;
        drafts.push({ phase, operation: updateBot, args, pieces });
      }
      if (action === "reactivate") {
        const provides = [`user ${id} is in use`];
        drafts.push({ result, phase: phases.reactivate, operation: reactivateUser, args: { user_id: id }, provides });
      }
      if (action === "deactivate") {
        const bot = accounts.records(snapshot).find(({ user_id }) => user_id === id);
        const provides = [nameIsFree("bots", String(bot?.full_name))];
        drafts.push({ result, phase: phases.deactivate, operation: deactivateBot, args, provides });
      }
      return drafts;
    },
  },
};
