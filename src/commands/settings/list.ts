import { register } from "../../api/events.ts";
import { Usage } from "../../errors.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { showsColumn } from "../../run/labels.ts";
import {
  type Collection,
  collectionOf,
  inWords,
  kindOf,
  labelsOf,
  readArgs,
  settingName,
  settingOf,
} from "./values.ts";

interface SettingRecord {
  name: string;
  value: unknown;
  kind: string;
  /** Who may change it. */
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
        value: ({ name, value }) => inWords(name, settingOf(collection, name)!, value, label),
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
