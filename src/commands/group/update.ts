import { type GroupPermission, groupPermissions } from "../../api/group-permissions.ts";
import type { GroupSettingUpdate } from "../../api/group-setting.ts";
import { updateGroup } from "../../api/groups.ts";
import { group as groupWord } from "../../cli/kinds.ts";
import { type RawFlags, valuesOf } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import { NothingAsked } from "../../errors.ts";
import { expectations } from "../../notation/expect.ts";
import type { Context, Planned } from "../../run/context.ts";
import { quoted, toldSettings, whoInWords } from "../channel/settings.ts";
import { settingsIn, typedFor } from "../channel/wish.ts";
import type { Allowed } from "../channel/words.ts";
import { updateBinds, updateFlags } from "./words.ts";

type Options = RawFlags<typeof updateFlags>;

/** One transaction: of what a server refuses nothing is done. */
export async function update(context: Context, options: Options, typed: string): Promise<Planned> {
  const { find } = context;
  const wanted = settingsIn<string, GroupPermission>(options, groupPermissions).map(([setting]) => setting);
  const { each: expected, current } = expectations(options.expect ?? [], groupPermissions, wanted);
  if (Object.keys(updateFlags).every((name) => options[name as keyof Options] === undefined))
    throw new NothingAsked("group update requires at least one flag that says what to change", {
      hint: 'Run "zulipctl group update --help" for usage.',
    });
  const stated = { words: updateFlags, binds: updateBinds };
  const given = typedFor(updateGroup, stated, options, (value) => ({ new: value }), groupPermissions);
  const { group, newName, description, ...values } = await valuesOf(
    context,
    { operands: { group: groupWord() }, flags: updateFlags },
    { operands: [typed], flags: options },
    () => context.foresee(updateGroup, given),
  );
  const words: Record<string, string> = newName === undefined ? {} : { name: quoted(newName) };
  const settings: Partial<Record<GroupPermission, GroupSettingUpdate>> = {};
  for (const [setting, { typed: who, value }] of settingsIn<Allowed, GroupPermission>(values, groupPermissions)) {
    const old = expected.get(setting);
    words[setting] = await whoInWords(find, who, value);
    settings[setting] = {
      new: value,
      ...(old !== undefined && { old: await find.who(old, `--expect ${setting}`) }),
    };
  }
  const changed = { name: newName, description, ...settings };
  return [
    change(
      updateGroup,
      { user_group_id: group.id, ...changed },
      {
        target: typed,
        done: "Updated group {target}: {settings}.",
        settings: toldSettings(changed, words),
        flags: Object.fromEntries(given.map(({ param, flag }) => [param, flag])),
        verifyWith: `zulipctl group show ${group.id}`,
        ...(current && { expectCurrent: true }),
      },
    ),
  ];
}
