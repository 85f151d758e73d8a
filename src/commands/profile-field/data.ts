/** The options of a field, and the site of an external account: what servers keep as the data of a field. */
import { updateProfileField } from "../../api/profile-fields.ts";
import { kebab } from "../../cli/parameter.ts";
import { membersOf } from "../../common/object-members.ts";
import type { Question } from "../../common/question.ts";
import { didYouMean } from "../../common/suggestions.ts";
import { Usage } from "../../errors.ts";
import {
  accountData,
  type ExternalAccount,
  fieldTypes,
  nextKey,
  type Option,
  optionsData,
  optionsIn,
} from "../../model/profile-field.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Context } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";

interface OptionFlags {
  addOption?: readonly string[] | undefined;
  deleteOption?: readonly string[] | undefined;
  renameOption?: readonly string[] | undefined;
}

async function currentField(context: Context, { id, typed }: NamedThing) {
  const found = await currentValuesOf(context).of(updateProfileField, { field_id: id });
  if (found) return { type: found.read.type, data: membersOf(found.values.field_data) };
  throw new Usage(`<field>: profile field "${typed}" not found`, {
    hint: "List them with: zulipctl profile-field list",
  });
}

function optionOf(options: readonly Option[], text: string, flag: string): Option {
  const found = options.find((option) => option.text === text);
  if (found) return found;
  const texts = options.map((option) => option.text);
  throw new Usage(`${flag}: option "${text}" not found`, {
    hint: didYouMean(text, texts) ?? `Available: ${texts.join(", ")}.`,
  });
}

/** Splits `old=new`. Options may contain `=`. */
function renaming(options: readonly Option[], typed: string): [old: Option, text: string] {
  const flag = "--rename-option";
  const at = typed.indexOf("=");
  if (at < 1 || at === typed.length - 1)
    throw new Usage(`${flag} must be old=new: "${typed}"`, { hint: `For example: ${flag} Lisbon=Porto` });
  const known = options.find(({ text }) => typed.startsWith(`${text}=`) && typed.length > text.length + 1);
  const old = known ?? optionOf(options, typed.slice(0, at), flag);
  return [old, typed.slice(old.text.length + 1)];
}

function changedOptions(all: readonly Option[], { addOption = [], deleteOption = [], renameOption = [] }: OptionFlags) {
  const renamed = new Map(renameOption.map((typed) => renaming(all, typed)));
  const deleted = deleteOption.map((text) => optionOf(all, text, "--delete-option"));
  const both = deleted.find((option) => renamed.has(option));
  if (both) throw new Usage(`--delete-option and --rename-option both name "${both.text}"`);
  const kept = all
    .filter((option) => !deleted.includes(option))
    .map((option) => ({ ...option, text: renamed.get(option) ?? option.text }));
  const next = nextKey(all);
  const added = [...new Set(addOption)].filter((text) => !kept.some((option) => option.text === text));
  return { options: [...kept, ...added.map((text, n) => ({ key: String(next + n), text }))], deleted };
}

const names = ["addOption", "deleteOption", "renameOption", "accountType", "urlPattern"] as const;

const neededTypes = {
  addOption: "options",
  deleteOption: "options",
  renameOption: "options",
  accountType: "account",
  urlPattern: "account",
} as const;

/** Returns the new data of a field. Undefined without a flag for it. */
export async function dataOf(
  context: Context,
  field: NamedThing,
  flags: OptionFlags & ExternalAccount,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const given = names.filter((name) => flags[name] !== undefined);
  if (!given.length) return undefined;
  const { type, data } = await currentField(context, field);
  const wrong = given.find((name) => type !== fieldTypes[neededTypes[name]]);
  if (wrong)
    throw new Usage(`--${kebab(wrong)}: profile field "${field.typed}" is not of the type ${neededTypes[wrong]}`);
  if (type === fieldTypes.options) return optionsData(changedOptions(optionsIn(data), flags).options);
  const accountType = flags.accountType ?? (typeof data.subtype === "string" ? data.subtype : undefined);
  return accountData({ ...flags, accountType }, data);
}

/** Asks before options are deleted: people lose their values. */
export async function deletionQuestion(
  context: Context,
  field: NamedThing,
  flags: OptionFlags,
): Promise<Question | undefined> {
  if (!flags.deleteOption?.length || context.flags.yes || context.flags.dryRun) return undefined;
  const { data } = await currentField(context, field);
  const { deleted } = changedOptions(optionsIn(data), flags);
  const texts = deleted.map(({ text }) => `"${text}"`).join(", ");
  return {
    question: `Delete ${deleted.length === 1 ? "option" : "options"} ${texts} of profile field "${field.typed}"`,
  };
}
