import { type GroupPermission, groupPermissions } from "../../api/group-permissions.ts";
import { createGroup } from "../../api/groups.ts";
import { newName } from "../../cli/kinds.ts";
import { type RawFlags, valuesOf } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import type { Context, Planned } from "../../run/context.ts";
import { settingsIn, typedFor } from "../channel/wish.ts";
import type { Allowed } from "../channel/words.ts";
import { creationBinds, creationFlags } from "./words.ts";

export async function create(
  context: Context,
  options: RawFlags<typeof creationFlags>,
  name: string,
): Promise<Planned> {
  const stated = { words: creationFlags, binds: creationBinds };
  const given = typedFor(createGroup, stated, options, (value) => value, groupPermissions);
  const words = { operands: { name: newName("its name") }, flags: creationFlags };
  const values = await valuesOf(context, words, { operands: [name], flags: options }, () =>
    context.foresee(createGroup, given),
  );
  const { description = "", add = [], addSubgroups } = values;
  const settings = settingsIn<Allowed, GroupPermission>(values, groupPermissions);
  const args = {
    name,
    description,
    members: add,
    subgroups: addSubgroups,
    ...Object.fromEntries(settings.map(([setting, { value }]) => [setting, value])),
  };
  return [
    change(createGroup, args, {
      target: name,
      done: "Created group {group_id}.",
      ids: "group_id",
      flags: Object.fromEntries(given.map(({ param, flag }) => [param, flag])),
      verifyWith: "zulipctl group list",
    }),
  ];
}
