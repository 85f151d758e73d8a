import { createBot, deactivateBot, shortNameOf, updateBot } from "../../api/bots.ts";
import { reactivateUser } from "../../api/people.ts";
import { strip } from "../../common/folding.ts";
import { namesOf, valueNamed } from "../../common/object-members.ts";
import { commandLine } from "../../common/shell-words.ts";
import { botKindName, botKinds } from "../../model/bot.ts";
import { roles } from "../../model/person.ts";
import { boolean, choiceShape, nonEmptyShape, referenceShape } from "../attribute-shapes.ts";
import type { FieldChange } from "../difference.ts";
import { phases } from "../order/phases.ts";
import { organizationSetting, type Person } from "../snapshot.ts";
import { accountsOf } from "./people.ts";
import {
  createDraft,
  nameIsFree,
  type RequestDraft,
  renamePiece,
  settingPiece,
  thingIsInUse,
  withoutUndefined,
} from "./requests.ts";
import type { ThingsSection } from "./section.ts";
import type { Comparing, Pair } from "./section-rules.ts";

const accounts = accountsOf("bot");

/** Returns why the server cannot create the bot. Undefined if it can. */
function obstacle(c: Comparing, { entry, name }: Pair): string | undefined {
  const { kind = "generic", payload_url } = entry;
  const domain = organizationSetting(c.snapshot, "bot_domain");
  const short = shortNameOf(name);
  if (
    short === undefined ||
    (typeof domain === "string" && name.toLowerCase() !== `${short}-bot@${domain}`.toLowerCase())
  )
    return `no bot with the address ${name}: a new one has the form <short name>-bot@${domain ?? "<domain>"}`;
  if (kind === "embedded") return "files cannot create embedded bots";
  if ((kind === "outgoing-webhook") === (payload_url === undefined))
    return kind === "outgoing-webhook"
      ? 'missing "payload_url": required for a new outgoing webhook'
      : '"payload_url" requires "kind: outgoing-webhook"';
  return undefined;
}

/** Returns the owner after the plan. Undefined after a problem. */
function finalOwner(c: Comparing, { entry, path, thing, archives }: Pair, from: number | null) {
  const at = [...path, "owner"];
  const { findings, everybody } = c;
  const { deactivated, person } = c.references;
  const found = entry.owner === undefined ? undefined : person(String(entry.owner), at);
  if (entry.owner !== undefined && !found) return undefined;
  if (found && "invited" in found) {
    findings.notice(`${found.invited} can be the owner of bots after they join`, at);
    return from;
  }
  if (found?.is_bot) return findings.problem(at, `${found.full_name} is a bot: bots cannot own bots`);
  const owner = found?.user_id ?? from;
  const byFile = owner === null ? undefined : deactivated.get(owner);
  const isRestored = thing?.archived === true && archives === false;
  const isActive = isRestored || (!thing?.archived && archives !== true);
  // Deactivating a person deactivates their bots. A restored bot without an owner goes to the caller.
  if (byFile === undefined || !(owner !== from || isRestored || (byFile && isActive))) return owner;
  const who = everybody.get(owner ?? 0)?.full_name;
  return findings.problem(entry.owner === undefined ? path : at, `the owner ${who} is deactivated: name another owner`);
}

/** Returns the changes of a bot. Undefined after a problem. */
function botChanges(c: Comparing, pair: Pair): FieldChange[] | undefined {
  const { entry, path, name, thing } = pair;
  const kind = thing?.read("kind");
  if (thing && entry.kind !== undefined && entry.kind !== kind) {
    const says = `is of the kind ${kind ?? "unknown here"}: the kind of a bot cannot be changed`;
    return c.findings.refuse({ section: "bots", name, field: "kind", says });
  }
  const problem = thing ? undefined : obstacle(c, pair);
  if (problem !== undefined) return c.findings.problem(path, problem);
  const from = c.everybody.get(thing?.id ?? 0)?.bot_owner_id ?? null;
  const to = finalOwner(c, pair, from);
  if (to === undefined) return undefined;
  if (thing) return to === from ? [] : [{ field: "owner", from, to }];
  return [{ field: "email", to: name }, ...(to === null ? [] : [{ field: "owner", to }])];
}

export const botsSection: ThingsSection<Person> = {
  ...accounts,
  doc: "Bots, by address. Their keys are never in a file.",
  requiredToCreate: "name",
  members: {
    email: { shape: nonEmptyShape, doc: "The address: a new bot build-bot@… has the short name build.", needed: true },
    name: { shape: nonEmptyShape, doc: "The name that people see.", stored: strip, record: "full_name" },
    owner: {
      shape: referenceShape("person"),
      doc: "The person who owns it; of a new bot by default the account that applies.",
      record: "bot_owner_id",
    },
    kind: { shape: choiceShape(...namesOf(botKinds)), doc: "What it does; generic by default. It cannot be changed." },
    payload_url: { shape: nonEmptyShape, doc: "Where a new outgoing webhook sends messages.", createOnly: true },
    active: { shape: boolean, doc: "false deactivates the bot, true reactivates it." },
  },
  attributes: () => ({
    owner: ({ bot_owner_id }) => bot_owner_id ?? undefined,
    kind: ({ bot_type }) => botKindName(bot_type),
  }),
  write: (field, value) => {
    if (field === "kind") return { bot_type: valueNamed(botKinds, value) };
    return field === "payload_url" || field === "active" ? {} : undefined;
  },
  initialValues: ({ organization }) => ({
    is_bot: true,
    role: roles.member,
    bot_type: botKinds.generic,
    bot_owner_id: organization.user_id,
  }),
  rules: { fields: ["email", "owner"], compare: botChanges },
  requests: {
    // The key of a new bot is not shown. People who need a key rotate it.
    create: (context, creation) => {
      const { name: email, to } = creation;
      const { name, kind, owner, payload_url } = to;
      const rotateKey = commandLine(["bots", "rotate-key", email, "--store", "keychain"]);
      const createRequest = createDraft(context, creation, {
        operation: createBot,
        args: withoutUndefined({
          full_name: name,
          short_name: shortNameOf(email),
          bot_type: valueNamed(botKinds, kind),
          payload_url,
        }),
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
      const drafts: RequestDraft[] = [];
      if (pieces.length) {
        const phase = action === "reactivate" ? phases.beforeReactivation : phases.people;
        drafts.push({ phase, operation: updateBot, args, pieces });
      }
      if (action === "reactivate") {
        const provides = [thingIsInUse("user", id)];
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
