/** Why a person must confirm a change of the organization's settings: what it opens, switches off or deletes. */
import { getChannels } from "../../api/channels.ts";
import { updateOrganization } from "../../api/organization.ts";
import { organizationSettings } from "../../api/settings.ts";
import { orUndefined } from "../../errors.ts";
import { type Beside, effectOf } from "../../organization/risky-settings.ts";
import { sameValue } from "../../resolve/desired.ts";
import type { Context } from "../../run/context.ts";
import { idsIn, type Wanted } from "./values.ts";

/** The groups of everybody: guests too, and whoever has no account. */
const everybody = new Set<unknown>(["role:everyone", "role:internet"]);

/** Whether the value of a permission names everybody. */
async function hasEverybody({ find }: Context, value: unknown): Promise<boolean> {
  if (value === undefined || value === null) return false;
  for (const id of idsIn("group", { kind: "group", value }))
    if (everybody.has((await find.called("group", id)) ?? (await find.callsAll("group"))(id))) return true;
  return false;
}

/** What is told of channels, which is read where one of these effects is to be told. */
async function besideOf({ server }: Context): Promise<Beside> {
  const from = await server();
  const channels = (await orUndefined(from.call(getChannels, { include_all: true })))?.streams;
  return {
    webPublic: channels?.flatMap(({ name, is_web_public }) => (is_web_public ? [name] : [])),
    inheriting: channels?.filter(({ message_retention_days: own }) => (own ?? null) === null).length,
  };
}

/** By setting, phrases that complete "This …"; none where `--yes` has answered. `now` is what the settings are. */
export async function effectsOf(
  context: Context,
  wanted: ReadonlyMap<string, Wanted>,
  now: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const effects: Record<string, string> = {};
  if (context.flags.yes || context.flags.dryRun) return effects;
  let beside: Beside | undefined;
  for (const [name, { value }] of wanted) {
    if (organizationSettings[name as keyof typeof organizationSettings].kind === "group") {
      if (sameValue(updateOrganization.params[name as "name"], value, now[name])) continue;
      if ((await hasEverybody(context, value)) && !(await hasEverybody(context, now[name])))
        effects[name] = `gives ${name} to everyone, guests too`;
      continue;
    }
    const effect = effectOf(name, now[name], value);
    if (effect === undefined) continue;
    beside ??= await besideOf(context);
    effects[name] = effectOf(name, now[name], value, beside) ?? effect;
  }
  return effects;
}
