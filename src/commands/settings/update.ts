import { register } from "../../api/events.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { quotedBriefly, renderSettings } from "../../cli/render-settings.ts";
import { type Change, change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { unchangeable } from "../../model/organization.ts";
import type { GroupSetting } from "../../model/permission.ts";
import type { Setting } from "../../model/setting.ts";
import { readGroupSetting } from "../../notation/references.ts";
import { programLine } from "../../output/line.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import { sameValue } from "../../resolve/desired.ts";
import type { Context, Planned } from "../../run/context.ts";
import { paramOf } from "../../wire/call.ts";
import {
  type Collection,
  collectionOf,
  inWords,
  labelsOf,
  mayBeNewer,
  readValue,
  settingName,
  withServersSettings,
} from "./setting-values.ts";
import { readAssignments, updateOthers } from "./update-others.ts";

interface Options {
  assignments: string[];
  expect?: string[] | undefined;
  newUsers?: boolean | undefined;
  people?: TextInput[][] | undefined;
  overwrite?: boolean | undefined;
}

interface DesiredSetting {
  name: string;
  setting: Setting;
  /** As it is sent. */
  value: unknown;
}

/** The requests, by kinds of settings: a request with several kinds might be applied in part. */
const requestKinds = ["plain", "group", "channel"] as const;

const requestKind = ({ kind }: Setting): (typeof requestKinds)[number] =>
  kind === "group" || kind === "channel" ? kind : "plain";

/** Reads current values after a change was refused or got no answer. */
async function inForce(context: Context, stated: Collection, { args }: Change) {
  const registered = await (await context.server()).call(register, stated.read);
  const collection = withServersSettings(stated, registered);
  const current = collection.valuesIn(registered);
  const settings = Object.keys(args).flatMap((name) =>
    Object.hasOwn(current, name) ? [{ name, setting: collection.settings[name]!, value: current[name] }] : [],
  );
  const label = await labelsOf(
    context,
    settings.map(({ setting: { kind }, value }) => ({ kind, value })),
  );
  const values = settings.map(({ name, setting, value }) => {
    const words = inWords(name, setting, value, label, registered);
    return `${name} is ${setting.kind === "text" ? quotedBriefly(words) : words}`;
  });
  return {
    values: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    sentence: `Current values: ${values.join(", ")}.`,
  };
}

/** Adds what only the server knows, if a name is not known here. */
async function withNewer(context: Context, known: Collection, assignments: readonly string[]): Promise<Collection> {
  const isNewer = assignments.some((text) => text.includes("=") && mayBeNewer(known, text.slice(0, text.indexOf("="))));
  if (!isNewer) return known;
  const current = await currentValuesOf(context).of(known.update, {});
  return withServersSettings(known, current?.read ?? {});
}

export async function planSettingsUpdate(context: Context, options: Options): Promise<Planned> {
  const { assignments, expect = [], newUsers, people, overwrite } = options;
  if (people) return updateOthers(context, { assignments, people, overwrite });
  const collection = await withNewer(context, collectionOf(newUsers), assignments);
  const nameOf = (typed: string) => settingName(collection, typed);
  const texts = readAssignments(nameOf, assignments, "settings update");
  const permissions = expect.filter((text) => text !== "current");
  const expected = readAssignments(nameOf, permissions, "--expect");
  for (const [name, who] of expected) {
    if (collection.settings[name]!.kind !== "group") throw new Usage(`--expect: ${name} is not a permission`);
    if (!texts.has(name)) throw new Usage(`--expect ${name} requires ${name}=<who>`);
    readGroupSetting(who, `--expect ${name}`);
  }
  if (texts.has(unchangeable)) throw new Usage(`${unchangeable}: nobody can change it: servers refuse it`);
  const newer = [...texts.keys()].filter((name) => !Object.hasOwn(collectionOf(newUsers).settings, name));
  for (const name of newer)
    await context.warn(programLine(`${name} is unknown to this version of zulipctl, and is sent as the server has it`));
  const typedSettings = [...texts].map(([name, text]) => {
    const setting = collection.settings[name]!;
    return { name, setting, text, read: readValue(name, setting, text) };
  });
  const expectCurrent = permissions.length < expect.length;
  if (expectCurrent && !typedSettings.some(({ setting }) => setting.kind === "group"))
    throw new Usage("--expect current requires a permission to change");
  await context.checkSupported(
    collection.update,
    typedSettings.map(({ name }) => ({ param: name, flag: name })),
  );
  const present = async (args: Record<string, unknown>) =>
    (await currentValuesOf(context).of(collection.update, args))!;
  const desired: DesiredSetting[] = [];
  const { values: all, read: registered } = await present({});
  for (const { read, ...each } of typedSettings) {
    const value = await read(context.names, all[each.name], registered);
    desired.push({ ...each, value });
  }
  const expectedValues = new Map<string, GroupSetting>();
  for (const [name, who] of expected) expectedValues.set(name, await context.names.who(who, `--expect ${name}`));

  const { values: now } = await present(Object.fromEntries(desired.map(({ name, value }) => [name, value])));
  const argument = ({ name, setting, value }: DesiredSetting) =>
    setting.kind === "group"
      ? { new: value, ...(expectedValues.has(name) && { old: expectedValues.get(name) }) }
      : value;
  const changeOf = async (settings: readonly DesiredSetting[]): Promise<Change> => {
    const differ = settings.filter(
      ({ name, value }) => !sameValue(paramOf(collection.update, name, value), value, now[name]),
    );
    const affected = (differ.length ? differ : settings).map(({ name }) => name);
    const names = new Set(settings.map(({ name }) => name));
    const args = Object.fromEntries(settings.map((each) => [each.name, argument(each)]));
    return change(collection.update, args, {
      target: affected.join(", "),
      done: "{settings}.",
      settings: await renderSettings(context.names, collection.update, args, registered),
      flags: Object.fromEntries([...names].map((name) => [name, name])),
      verifyWith: `zulipctl settings show ${affected.join(" ")}${collection.flag}`,
      ifChanged: true,
      ...(expectCurrent && { expectCurrent }),
    });
  };
  const groups = requestKinds.map((kind) => desired.filter(({ setting }) => requestKind(setting) === kind));
  const changes = await Promise.all(groups.filter(({ length }) => length > 0).map(changeOf));
  return { changes, list: true, readCurrent: async (one) => inForce(context, collection, one) };
}
