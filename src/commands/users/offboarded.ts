/** The people whom `users offboard` is about. */
import type { TextInput } from "../../argv/text-input.ts";
import { joinFirst } from "../../common/counted.ts";
import { Usage } from "../../errors.ts";
import { trimmed } from "../../notation/blanks.ts";
import { type Person, peopleById, type Snapshot } from "../../organization/snapshot.ts";
import { peopleInSnapshot } from "../permissions/load-evaluation.ts";

export const offboardedOperand = "<user>";

/** Looks up the named people, without duplicates. Throws `Usage` for bots. */
export async function peopleNamed(
  snapshot: Snapshot,
  names: readonly TextInput[],
  flag = offboardedOperand,
): Promise<Person[]> {
  const everybody = peopleById(snapshot);
  const ids = new Set<number>();
  for (const name of names) for (const id of await peopleInSnapshot(snapshot, name, flag)) ids.add(id);
  if (!ids.size) throw new Usage(`${flag}: nobody is in ${names.map(({ text }) => trimmed(text)).join(", ")}`);
  const people = [...ids].flatMap((id) => everybody.get(id) ?? []);
  const bot = people.find(({ is_bot }) => is_bot);
  if (bot)
    throw new Usage(`${flag}: ${bot.full_name} is a bot`, {
      ...(flag === offboardedOperand && { hint: `Deactivate it with: zulipctl users deactivate ${bot.user_id}` }),
    });
  return people;
}

export const offboardedNames = (people: readonly Person[]): string =>
  joinFirst(
    people.map(({ full_name }) => full_name),
    5,
  );
