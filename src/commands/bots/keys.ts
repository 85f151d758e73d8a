/** Creates bots and replaces their keys. New keys go to a profile or to stdout, never elsewhere. */
import { createBot, regenerateBotKey, updateBot } from "../../api/bots.ts";
import type { regenerateKey } from "../../api/people.ts";
import { type Flags, outputOptions } from "../../argv/global-flags.ts";
import { type Credentials, resolveAccount } from "../../credentials/accounts.ts";
import type { KeyTarget } from "../../credentials/key-location.ts";
import { saveBotKey, testStorage } from "../../credentials/login.ts";
import { type Change, change } from "../../engine/change.ts";
import { Partial, Usage } from "../../errors.ts";
import { type BotKind, botKinds } from "../../model/bot.ts";
import { readNewName } from "../../notation/name.ts";
import { type Changed, changed } from "../../output/form.ts";
import { commit } from "../../run/commit.ts";
import { type Conclusion, type Context, requests, showRequest } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { Secret } from "../../world/world.ts";
import { readBotAddress } from "./bot-address.ts";

interface KeyOptions {
  store?: KeyTarget["store"] | undefined;
  print?: boolean | undefined;
}

/** Throws `Usage` for output flags that leave out the key. */
export function checkPrintable(flags: Flags): void {
  const { form, fields } = outputOptions(flags);
  if (form === "ids" || form === "none" || (fields && !fields.includes("api_key")))
    throw new Usage("--print would not print the key with these flags", { hint: "Remove --output and --fields." });
}

/** The new key in an answer. Throws `Partial` with the hint if there is none. */
export function newKeyIn({ api_key: key }: Readonly<Record<string, unknown>>, hint: string): string {
  // The answer's old key is masked.
  if (typeof key === "string" && /^[a-zA-Z0-9]+$/.test(key)) return key;
  throw new Partial("the server made a new key, but its answer has no key", { hint });
}

/** Replaces a key. The answer has the new one, so it is not printed. */
export const regeneration = <O extends typeof regenerateKey | typeof regenerateBotKey>(
  { command }: Context,
  operation: O,
  args: ArgsOf<O>,
  words: { target: string; of: string; verifyWith: string; retry: string },
): Change =>
  change(operation, args, {
    command,
    target: words.target,
    done: "",
    verifyWith: `${words.verifyWith}. If the old key no longer works, get a new one with: ${words.retry}`,
    confirm: { question: `Replace the API key of ${words.of}` },
    raw: { include: false },
  });

/** Checks that the key can be stored or printed, before it is created. */
async function checkKeyOptions(context: Context, { store, print }: KeyOptions): Promise<Credentials> {
  const { world, flags, command } = context;
  world.signals.outcome ??= "not_sent";
  if (!print && !store)
    throw new Usage(`${command} requires --store or --print: the key must go somewhere`, {
      hint: "--store keychain keeps it as a profile, --print writes it to stdout.",
    });
  if (print) checkPrintable(flags);
  const account = await resolveAccount(world, flags);
  if (store && !flags.dryRun) await testStorage(world, store);
  return account;
}

const rotateCommand = (id: number) => `zulipctl bots rotate-key ${id} --print`;

interface Bot {
  id: number;
  key: string;
  done: string;
}

/** Stores or prints a new key. */
async function handOver(context: Context, account: Credentials, { store }: KeyOptions, bot: Bot): Promise<Changed> {
  const { id, key, done } = bot;
  const { site } = account;
  const hint = `Get a new key with: ${rotateCommand(id)}`;
  if (!store) {
    const onlyCopy = { what: `${done} But its key`, hint };
    return { ...changed(key, { site, user_id: id, api_key: key }, [id]), onlyCopy };
  }
  try {
    const email = await readBotAddress(context, id);
    const saved = await saveBotKey(context.world, account, store, { email, key: new Secret(key), userId: id });
    return { ...saved, sentence: `${done} ${saved.sentence}`, ids: [id] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Partial(`${done} But its key cannot be saved: ${error.message}`, { hint });
  }
}

interface CreateOptions extends KeyOptions {
  name: string;
  shortName: string;
  type?: BotKind | undefined;
  payloadUrl?: string | undefined;
  owner?: NamedThing | undefined;
}

export async function createBotAccount(
  context: Context,
  { name, shortName, ...options }: CreateOptions,
): Promise<Conclusion> {
  const { type = "generic", payloadUrl } = options;
  // A new bot belongs to the account that creates it.
  const owner = options.owner?.typed === "me" ? undefined : options.owner;
  const full_name = readNewName(name, "<name>");
  if (type === "outgoing-webhook" && payloadUrl === undefined)
    throw new Usage("--type outgoing-webhook requires --payload-url");
  if (type !== "outgoing-webhook" && payloadUrl !== undefined)
    throw new Usage("--payload-url requires --type outgoing-webhook");
  const account = await checkKeyOptions(context, options);
  const creation = change(
    createBot,
    { full_name, short_name: shortName, bot_type: botKinds[type], payload_url: payloadUrl },
    {
      command: context.command,
      target: full_name,
      done: "",
      verifyWith: "zulipctl bots list",
      ids: "user_id",
      raw: { include: false },
    },
  );
  if (context.flags.dryRun && owner) return showBoth(context, creation, owner);
  const result = await commit(context, { changes: [creation] });
  if (result.kind !== "change") return result;
  const id = Number(result.answer.user_id);
  const key = newKeyIn(result.answer, `Get a new key with: ${rotateCommand(id)}`);
  const handover = await handOver(context, account, options, { id, key, done: `Created bot ${id}.` });
  return owner ? changeOwner(context, owner, id, handover) : handover;
}

const ownerChange = (context: Context, owner: NamedThing, bot_id: number) =>
  change(
    updateBot,
    { bot_id, bot_owner_id: owner.id },
    {
      command: context.command,
      target: String(bot_id),
      done: "",
      verifyWith: `zulipctl bots show ${bot_id}`,
      raw: { include: false },
    },
  );

/** Shows both requests of a dry run. The id of the bot is not known yet. */
async function showBoth(context: Context, creation: Change, owner: NamedThing): Promise<Conclusion> {
  const server = await context.server();
  const [first, second] = [creation, ownerChange(context, owner, 0)].map((each) =>
    showRequest(server, each, context.names),
  );
  const { url, ...shown } = await second!;
  return requests([await first!, { ...shown, url: url.replace(/\/0$/, "/<id of the bot>") }]);
}

/** Gives a new bot to its owner. Its key is stored already, so a refusal loses nothing. */
async function changeOwner(context: Context, owner: NamedThing, id: number, handover: Changed): Promise<Conclusion> {
  const result = await commit(context, { changes: [ownerChange(context, owner, id)] });
  if (result.kind === "change") return handover;
  const failure = result.kind === "ended" ? result.failure : undefined;
  if (!failure) return result;
  const message = `bot ${id} was created, but its owner was not changed: ${failure.message}`;
  return {
    kind: "ended",
    failure: new Partial(message, {
      ...failure.details,
      hint: `Try again with: zulipctl bots update ${id} --owner ${owner.typed}`,
    }),
    result: handover,
  };
}

export async function rotateBotKey(
  context: Context,
  { bot, ...options }: { bot: NamedThing } & KeyOptions,
): Promise<Conclusion> {
  const account = await checkKeyOptions(context, options);
  const words = { verifyWith: `zulipctl bots show ${bot.id}`, retry: rotateCommand(bot.id) };
  const regenerated = regeneration(
    context,
    regenerateBotKey,
    { bot_id: bot.id },
    { ...words, target: bot.typed, of: `bot ${bot.typed}` },
  );
  const result = await commit(context, { changes: [regenerated] });
  if (result.kind !== "change") return result;
  const key = newKeyIn(result.answer, `Get a new key with: ${words.retry}`);
  return handOver(context, account, options, { id: bot.id, key, done: `Replaced the API key of bot ${bot.id}.` });
}
