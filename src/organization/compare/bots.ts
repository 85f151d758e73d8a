/** Compares bots: their owners, and changes that servers cannot make. */
import type { FieldChange } from "../difference.ts";
import { shortNameOf } from "../sections/bots.ts";
import { organizationSetting } from "../snapshot.ts";
import type { ComparisonState } from "./context.ts";
import type { Pair } from "./match.ts";

/** Returns why the server cannot create the bot. Undefined if it can. */
function obstacle(c: ComparisonState, { entry, name }: Pair): string | undefined {
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
function finalOwner(c: ComparisonState, { entry, path, thing, archives }: Pair, from: number | null) {
  const at = [...path, "owner"];
  const { findings, everybody } = c;
  const { deactivated, person } = c.values;
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

/** Returns the changes of a bot that `fields.ts` does not compare. Undefined after a problem. */
export function botChanges(c: ComparisonState, pair: Pair): FieldChange[] | undefined {
  const { entry, path, name, thing } = pair;
  const kind = thing?.read("kind");
  if (thing && entry.kind !== undefined && entry.kind !== kind) {
    const says = `is of the kind ${kind ?? "unknown here"}: the kind of a bot cannot be changed`;
    return c.findings.refuse({ section: "bots", name, field: "kind", path: [...path, "kind"], says });
  }
  const wrong = thing ? undefined : obstacle(c, pair);
  if (wrong !== undefined) return c.findings.problem(path, wrong);
  const from = c.everybody.get(thing?.id ?? 0)?.bot_owner_id ?? null;
  const to = finalOwner(c, pair, from);
  if (to === undefined) return undefined;
  if (thing) return to === from ? [] : [{ field: "owner", from, to }];
  return [{ field: "email", to: name }, ...(to === null ? [] : [{ field: "owner", to }])];
}
