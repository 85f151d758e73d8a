/** Says what a server sets beside what a change sends. */

import { type Change, callIn } from "../engine/change.ts";
import { Refused, undefinedOnFailure } from "../errors.ts";
import { needsEveryone } from "../model/channel.ts";
import { programLine } from "../output/line.ts";
import { jsonText } from "../output/sanitize.ts";
import { currentValuesOf } from "../resolve/current-values.ts";
import type { ImpliedValue } from "../wire/operation.ts";
import type { Context } from "./context.ts";

/** How to send the other value, as it is typed. */
const spelled = ({ known }: Change, { name, value }: ImpliedValue): string =>
  known ? `-F ${name}=${!value}` : `--${value ? "no-" : ""}${name.replaceAll("_", "-")}`;

function lineOf(change: Change, implied: ImpliedValue, current: unknown): string {
  const { name, value, avoidable } = implied;
  const from = current === undefined ? "" : `${jsonText(current)} → `;
  const verb = current === undefined ? "change" : "keep";
  const choice = avoidable ? `; ${verb} it with ${spelled(change, implied)}` : "";
  return `${name}: ${from}${jsonText(value)} (the server's choice${choice})`;
}

/**
 * Throws `Refused` if only some may begin topics in a channel whose history the server would hide. Groups are not read for
 * this: a single group that nothing else has read may be role:everyone.
 */
async function checkTopics({ names }: Context, change: Change, implied: readonly ImpliedValue[], current: unknown) {
  const hides = implied.some(({ name, value }) => name === "history_public_to_subscribers" && !value);
  const name = "can_create_topic_group";
  if (!hides || current === undefined || callIn(change).args[name] !== undefined) return;
  const group = typeof current === "number" ? await names.nameOf("group", current) : "people and groups";
  if (group === undefined || group === "role:everyone") return;
  throw new Refused(`${name} ${needsEveryone}`, {
    hint: `To show them the history, add: ${spelled(change, { name: "history_public_to_subscribers", value: false, avoidable: true })}`,
  });
}

/** Returns a line for each value that the server changes by itself. */
export async function impliedLines(context: Context, change: Change): Promise<string[]> {
  const { operation, args } = callIn(change);
  const implied = operation.implies?.(args) ?? [];
  if (!implied.length) return [];
  const current = operation.before && (await undefinedOnFailure(currentValuesOf(context).of(operation, args)));
  await checkTopics(context, change, implied, current?.values.can_create_topic_group);
  return implied
    .filter(({ name, value }) => current?.values[name] !== value)
    .map((each) => lineOf(change, each, current?.values[each.name]));
}

/** Notes what the server changes by itself, before anything is sent. */
export async function noteImplied(context: Context, changes: readonly Change[]): Promise<void> {
  const { line, note } = context;
  for (const change of changes)
    for (const text of await impliedLines(context, change)) {
      const where = line === undefined ? "" : `line ${line}: `;
      const which = line !== undefined || changes.length > 1 ? `${change.target}: ` : "";
      await note(programLine(`${where}${which}${text}`));
    }
}
