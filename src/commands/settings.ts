import { register } from "../api/events.ts";
import { updateOrganization } from "../api/organization.ts";
import { plansWith, readsWith } from "../cli/conversation.ts";
import { offered, text, texts, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { Usage } from "../errors.ts";
import type { Listing } from "../output/form.ts";
import type { Context } from "../run/context.ts";
import { showsColumn } from "../run/labels.ts";
import {
  type Collection,
  collectionOf,
  inWords,
  kindOf,
  labelsOf,
  readArgs,
  settingName,
  settingOf,
} from "./settings/values.ts";

const newUsers = toggle("the settings that new people get");

interface SettingRecord {
  name: string;
  value: unknown;
  kind: string;
  who: string;
}

async function listing(
  context: Context,
  collection: Collection,
  wanted: (all: readonly string[]) => readonly string[],
): Promise<Listing<SettingRecord>> {
  const answer = await context.ask(register, readArgs(collection));
  const now = collection.now(answer);
  const records = wanted(Object.keys(collection.settings).filter((name) => Object.hasOwn(now, name))).map((name) => {
    const setting = settingOf(collection, name)!;
    return { name, value: now[name], kind: kindOf(name, setting), who: setting.owner ? "owners" : "administrators" };
  });
  // Names are read only where a table shows them.
  const label = await labelsOf(context, showsColumn(context, "VALUE") ? records : []);
  return {
    kind: "listing",
    records,
    id: ({ name }) => name,
    known: ["name", "value", "kind", "who"],
    columns: [
      { head: "NAME", value: ({ name }) => name, importance: "high", whole: true },
      {
        head: "VALUE",
        value: ({ name, value }) => inWords(name, settingOf(collection, name)!, value, label, answer),
        cut: true,
        importance: "high",
      },
      { head: "KIND", value: ({ kind }) => kind },
      { head: "WHO", value: ({ who }) => who },
    ],
  };
}

interface Words {
  newUsers?: boolean | undefined;
}

export async function list(
  context: Context,
  { match, newUsers }: Words & { match?: string | undefined },
): Promise<Listing<SettingRecord>> {
  const text = match?.toLowerCase().replaceAll("-", "_");
  const collection = collectionOf(newUsers);
  return listing(context, collection, (all) => all.filter((name) => text === undefined || name.includes(text)));
}

export async function show(
  context: Context,
  { names, newUsers }: Words & { names: string[] },
): Promise<Listing<SettingRecord>> {
  const collection = collectionOf(newUsers);
  const wanted = [...new Set(names.map((typed) => settingName(collection, typed)))];
  await context.checkSupported(
    collection.update,
    wanted.map((name) => ({ param: name, flag: name })),
  );
  return listing(context, collection, (all) => {
    const untold = wanted.filter((name) => !all.includes(name));
    if (untold.length) throw new Usage(`no server tells what ${untold.join(" and ")} is`);
    return wanted;
  });
}

export const settings = noun("Settings of the organization, and those that new people get", {
  list: readsWith({
    doc: "All settings with their values, and who may change them",
    flags: { match: text("only those with this text in the name"), newUsers },
    examples: ["zulipctl settings list --match invite", "zulipctl settings list --new-users -o csv"],
    run: async () => list,
  }),

  show: readsWith({
    doc: "Some settings with their values, and who may change them",
    operands: { names: offered("setting", texts("names, as settings list shows them", "name")) },
    flags: { newUsers },
    examples: ["zulipctl settings show invite_required can_invite_users_group"],
    run: async () => show,
  }),

  update: plansWith({
    operation: updateOrganization,
    doc: "Change settings; unchanged values are not sent",
    operands: {
      assignments: offered(
        "setting=value",
        texts("true, 600, 10m, unlimited, friday, role:moderators, a channel's name, none", "name=value"),
      ),
    },
    flags: {
      expect: offered(
        "setting=who",
        texts("change the permission only if this is its value now; current: what is read just before", "setting=who"),
      ),
      newUsers,
    },
    note: "Texts and numbers, permissions, and channels are sent apart: of each there is one outcome.",
    examples: [
      "zulipctl settings update name='Acme Corp' message_content_edit_limit_seconds=unlimited",
      "zulipctl settings update can_create_bots_group=role:moderators --expect can_create_bots_group=role:members",
      "zulipctl settings update new_stream_announcements_stream_id=general",
      "zulipctl settings update --new-users twenty_four_hour_time=true",
    ],
    run: async () => (await import("./settings/update.ts")).update,
  }),
});
