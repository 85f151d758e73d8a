/** Every check, in an order in which the first that fails is the one to see to. */
import { getServerSettings } from "../../api/server.ts";
import { getOwnUser } from "../../api/users.ts";
import { choiceOf } from "../../argv/flags.ts";
import { counted } from "../../counted.ts";
import { type Found, resolveAccount, resolveSite } from "../../credentials/accounts.ts";
import { type Details, type Failure, NeedsLogin, orUndefined, Unreachable, Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { checkChoice } from "../../output/present.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { World } from "../../world.ts";
import {
  attempt,
  type Check,
  type Code,
  configuration,
  credentials,
  type Finding,
  keychain,
  login,
  runs,
  server,
  way,
} from "./checks.ts";

/** What others warn of on the way is a check of its own here. */
const silent = (world: World): World => ({
  ...world,
  stderr: Object.create(world.stderr, { write: { value: async () => undefined } }),
});

const members = ["check", "status", "message"];

const failed = ({ status }: Finding): boolean => status === "fail";

async function* examine(context: Context): AsyncGenerator<Finding> {
  const { flags } = context;
  const world = silent(context.world);
  yield await configuration(world);
  let account: Found | undefined;
  const found = await attempt("credentials", async () => {
    account = await resolveAccount(world, flags);
    return credentials(account);
  });
  yield found;
  yield await keychain(world, account);
  yield await runs(world);
  const sender = account ?? (await orUndefined(resolveSite(world, flags)));
  if (!sender) return;
  for (const step of [way, server, ...(failed(found) ? [] : [login])])
    for await (const finding of step(context, sender)) {
      yield finding;
      if (failed(finding)) return;
    }
}

const classes: Record<Code, new (message: string, details: Details) => Failure> = {
  2: Usage,
  3: NeedsLogin,
  4: Unreachable,
};

const styles = { ok: "good", warn: "warn", fail: "bad" } as const;

const columns: Column<Check>[] = [
  { head: "CHECK", value: ({ check }) => check, whole: true, importance: "high" },
  {
    head: "STATUS",
    value: ({ status }) => status,
    style: ({ status }) => styles[status],
    whole: true,
    importance: "high",
  },
  {
    head: "MESSAGE",
    value: ({ message, hint }) => (hint === undefined ? message : `${message}. ${hint}`),
    importance: "high",
  },
];

export async function doctor(context: Context): Promise<Conclusion> {
  await checkChoice(choiceOf(context.flags), [...members, "hint"]);
  await context.showInstead([call(getServerSettings, {}), call(getOwnUser, {})]);
  const failures: Finding[] = [];
  async function* records(): AsyncGenerator<Check> {
    for await (const { code, ...check } of examine(context)) {
      if (code !== undefined) failures.push({ ...check, code });
      yield check;
    }
  }
  const listing: Listing<Check> = {
    kind: "listing",
    records: records(),
    known: members,
    rare: ["hint"],
    id: ({ check }) => check,
    columns,
    ending: async () => {
      const [first] = failures;
      if (!first) return undefined;
      const { check, message, code, hint } = first;
      const others = failures.length > 1 ? ` (and ${counted(failures.length - 1, "other check")})` : "";
      return new classes[code!](`the check of ${check} fails${others}: ${message}`, hint === undefined ? {} : { hint });
    },
  };
  return listing;
}
