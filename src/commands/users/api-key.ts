/** A new API key for the account in use. The old one is worthless at once, so the new one must not get lost on the way. */
import { regenerateKey } from "../../api/people.ts";
import { confirm } from "../../argv/confirm.ts";
import { choiceOf } from "../../argv/flags.ts";
import { type Found, resolveAccount } from "../../credentials/accounts.ts";
import type { OwnPlace } from "../../credentials/keyplace.ts";
import { findProfile } from "../../credentials/profiles.ts";
import { replaceKey, rescue, tryPlace } from "../../credentials/replace.ts";
import { change } from "../../engine/change.ts";
import { concludedOf } from "../../engine/concluded.ts";
import { transport } from "../../engine/transport.ts";
import { Partial, Unknown, Usage } from "../../errors.ts";
import { write } from "../../output/buffered-writer.ts";
import type { Changed } from "../../output/form.ts";
import { print } from "../../output/present.ts";
import { type Requests, requests } from "../../run/conclusion.ts";
import { type Context, showRequest } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import { Secret } from "../../world.ts";

interface Options {
  print?: boolean;
}

/** Where zulipctl keeps the key itself; undefined where it comes from elsewhere. */
async function placeOf({ world }: Context, { profile, kept }: Found): Promise<OwnPlace | undefined> {
  if (profile === undefined || (kept !== "keychain" && kept !== "file")) return undefined;
  return (await findProfile(world, profile, "--profile")).profile as OwnPlace;
}

/** What stdout would get. */
async function rendered({ world, flags }: Context, result: Changed): Promise<string> {
  let text = "";
  const { isTerminal, columns, colorLevel } = world.stdout;
  const stdout = {
    ...{ isTerminal, columns, colorLevel, gone: false },
    write: async (part: string | Uint8Array) => {
      text += typeof part === "string" ? part : Buffer.from(part).toString("utf8");
    },
  };
  await print(result, choiceOf(flags), { ...world, stdout });
  return text;
}

const printed = ({ site, email }: Found, key: string): Changed => ({
  kind: "change",
  sentence: key,
  answer: { site, email, api_key: key },
  ids: [],
});

/** Stands for a key in the trial of a form. */
const trial = "aZ09".repeat(8);

async function checkForm(context: Context, account: Found): Promise<void> {
  if ((await rendered(context, printed(account, trial))).includes(trial)) return;
  throw new Usage("--print would not print the key with these flags", {
    hint: "Remove --output, --fields and --jq, or choose what shows api_key.",
  });
}

const again = ({ profile, site, email }: Found): string =>
  `zulipctl fetch-key --site ${site} --username ${email}${profile === undefined ? "" : ` --profile ${profile}`}`;

/** The server has changed the key, and what was to become of the new one did not. */
async function lost({ world }: Context, account: Found, key: Secret, why: string): Promise<Partial> {
  const saved = await rescue(world, key);
  const what = `the server replaced the key of ${account.email}, but ${why}`;
  if ("reason" in saved)
    return new Partial(`${what}; it could not be written to a file either: ${saved.reason}`, {
      hint: `Get the new key with: ${again(account)}`,
    });
  const login = `zulipctl auth login --with-key --site ${account.site} --username ${account.email}`;
  const name = account.profile === undefined ? "" : ` --profile ${account.profile}`;
  // Files have no modes there: who may read the folder may read what is in it.
  const whose = world.platform.startsWith("Windows")
    ? "readable by everyone with access to its folder"
    : "readable only by you";
  return new Partial(`${what}; the new key is in the file ${saved.path}, ${whose}`, {
    hint: `Keep it with: ${login}${name} < ${saved.path}. Remove the file then.`,
    more: { file: saved.path },
  });
}

/** It is a change like others, though the engine, which tells of those, has no part in it. */
async function made({ at, command }: Context, account: Found, verifyWith: string): Promise<Record<string, unknown>> {
  const asked = change(regenerateKey, {}, { target: account.email, done: "", verifyWith });
  const { send, concluded } = transport(at(account));
  const result = await send({ ...asked, command });
  const told = concludedOf(asked, result);
  if (told) concluded?.(told);
  if (result.outcome !== "done") throw result.failure;
  return result.answer;
}

async function regenerated(context: Context, account: Found): Promise<Secret> {
  const find = "zulipctl auth status";
  try {
    return new Secret((await made(context, account, find)).api_key as string);
  } catch (error) {
    if (error instanceof Unknown)
      error.details.hint = `Check with: ${find}. If the key no longer works, get the new one with: ${again(account)}`;
    throw error;
  }
}

export async function apiKey(
  context: Context,
  { print: prints = false }: Options,
): Promise<Changed | Requests | undefined> {
  const { world, flags } = context;
  world.signals.outcome ??= "not_sent";
  const account = await resolveAccount(world, flags);
  const place = await placeOf(context, account);
  if (!place && !prints)
    throw new Usage(`the key comes from ${account.where}: zulipctl does not write there`, {
      hint: "Pass --print to write it to stdout.",
    });
  if (place && prints)
    throw new Usage(`--print: the key is replaced in ${account.where} and not printed`, {
      hint: "Remove --print.",
    });
  if (flags.dryRun) return requests([await showRequest(context.at(account), call(regenerateKey, {}))]);
  if (!place) await checkForm(context, account);
  await confirm(
    world,
    flags,
    { question: `Replace the API key of ${account.email}`, consequence: "The old key stops working at once." },
    { host: new URL(account.site).host, profile: account.profile },
  );
  if (place) await tryPlace(world, place, await account.key());
  const key = await regenerated(context, account);
  // What is masked in an answer is the key that there was.
  if (!/^[a-zA-Z0-9]+$/.test(key.reveal()))
    throw new Partial("the server replaced the key, but its answer has no key", {
      hint: `Get the new key with: ${again(account)}`,
    });
  return place ? kept(context, account, place, key) : shown(context, account, key);
}

async function kept(context: Context, account: Found, place: OwnPlace, key: Secret): Promise<Changed> {
  const { site, email, where } = account;
  const { profiles, others } = await replaceKey(context.world, place, account, key).catch(async (error: Error) => {
    throw await lost(context, account, key, `the new key cannot be saved in ${where}: ${error.message}`);
  });
  for (const other of others)
    await context.warn(
      `zulipctl: warning: profile ${other} has the same account and still has the old key. Renew it with: zulipctl fetch-key --profile ${other}`,
    );
  return {
    kind: "change",
    sentence: `The API key of ${email} on ${site} is replaced; profile ${profiles[0]} has the new one in ${where}.`,
    answer: { profile: profiles[0], site, email, store: place.store },
    ids: [],
  };
}

/** A reader that has gone, or a full disk, must not take the only copy along. */
async function shown(context: Context, account: Found, key: Secret): Promise<undefined> {
  const { stdout } = context.world;
  let why = "stdout is closed";
  try {
    const text = await rendered(context, printed(account, key.reveal()));
    if (text.includes(key.reveal())) {
      await write(stdout, text);
      if (!stdout.gone) return;
    } else why = "the filter left it out";
  } catch (error) {
    why = (error as Error).message;
  }
  throw await lost(context, account, key, `the new key could not be printed: ${why}`);
}
