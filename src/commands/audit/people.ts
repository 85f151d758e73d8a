import { type PersonActivity, peopleOf } from "../../audit/activity.ts";
import { counted } from "../../counted.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { sourceOf } from "./source.ts";

interface Options {
  from?: string;
  inactiveFor?: number;
  role?: string;
  bots?: boolean;
  humans?: boolean;
  deactivated?: boolean;
}

export const dateOf = (time: string | null, otherwise: string): string =>
  time === null ? otherwise : when(Date.parse(time));

const columns: Column<PersonActivity>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "NAME", value: ({ name }) => name, importance: "high" },
  { head: "EMAIL", value: ({ email }) => email, whole: true },
  { head: "ROLE", value: ({ role }) => role },
  { head: "LAST ACTIVE", value: ({ last_active }) => dateOf(last_active, "never"), importance: "high" },
  { head: "MESSAGES", value: ({ messages }) => messages, align: "right" },
];

/** Lists active accounts, the longest inactive first. */
export async function people(context: Context, options: Options): Promise<Listing<PersonActivity>> {
  const { bots, humans, role, inactiveFor, deactivated } = options;
  if (bots && humans) throw new Usage("--bots cannot be combined with --humans");
  const { world } = context;
  const all = await peopleOf(world.files, await sourceOf(context, options.from));
  const before = inactiveFor === undefined ? undefined : world.clock.now() - inactiveFor;
  // Somebody who never logged in is inactive since the account was created.
  const last = ({ last_active, joined }: PersonActivity) => Date.parse(last_active ?? joined);
  const records = all
    .filter(
      (person) =>
        person.is_active === !deactivated &&
        (!bots || person.is_bot) &&
        (!humans || !person.is_bot) &&
        (role === undefined || person.role === role) &&
        (before === undefined || last(person) < before),
    )
    .sort((a, b) => last(a) - last(b) || a.id - b.id);
  return {
    kind: "listing",
    records,
    columns,
    id: "id",
    note: `${counted(records.length, "account")}. Messages in private channels and direct messages are not counted.`,
  };
}
