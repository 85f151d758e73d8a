import {
  createProfileField,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../api/profile-fields.ts";
import { getUsers } from "../api/users.ts";
import { readLists } from "../argv/read-text.ts";
import type { TextInput } from "../argv/text-input.ts";
import { deletion } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, type FlagValues, type ReadContext, requiredFlag } from "../cli/parameter.ts";
import { reorders } from "../cli/reorder.ts";
import { choice, newName, offered, onOff, text, texts } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import type { Server } from "../client/server.ts";
import { counted } from "../common/counted.ts";
import { keyed, keyedAs, nameOf, namesOf } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import {
  accountData,
  fieldFlag,
  fieldToggleRules,
  fieldToggles,
  fieldTypes,
  optionsData,
} from "../model/profile-field.ts";
import { trimmed } from "../notation/blanks.ts";
import type { Origin } from "../notation/id.ts";
import { readNewName } from "../notation/name.ts";
import type { NamedThing } from "../run/named-thing.ts";

const find = async (typed: string, { context, flag }: ReadContext, origin?: Origin): Promise<NamedThing> => ({
  id: (await context.names.profileField(typed, flag, origin)).id,
  typed,
});

const one: CommandParameter<NamedThing, string> = {
  metavar: "field",
  doc: "name or id",
  offers: { of: "profile-field" },
  find,
};

const several: CommandParameter<NamedThing[], TextInput[]> = {
  metavar: "field",
  doc: "names or ids; @file or - reads one a line",
  many: true,
  file: true,
  offers: { of: "profile-field", at: true },
  read: (raw: TextInput[], { context, flag }: ReadContext) => readLists(context.world, flag, raw),
  find: async (lists: TextInput[][], { context, flag }: ReadContext) => {
    const found = new Map<number, NamedThing>();
    for (const parts of lists) {
      // A name can contain commas.
      const whole = parts.map(({ text }) => text).join(",");
      const all =
        parts.length > 1 && (await context.names.has("profile field", trimmed(whole)))
          ? [parts[0]!.part(0, whole)]
          : parts;
      for (const { text, place = flag, origin } of all) {
        const field = await find(text, { context, flag: place }, origin);
        found.set(field.id, found.get(field.id) ?? field);
      }
    }
    return [...found.values()];
  },
};

const flags = {
  hint: text("what to fill in"),
  ...keyedAs(fieldToggles, fieldFlag, (name) => onOff(...fieldToggleRules[name].flagDocs)),
};

const options = (doc: string): CommandParameter<string[], string[]> => ({
  ...texts(doc),
  read: (all: string[], { flag }: ReadContext) => all.map((each) => readNewName(each, flag)),
});

const optionFlags = {
  addOption: options("add something to choose; repeatable"),
  deleteOption: texts("delete an option: people who chose it lose their value; repeatable"),
  renameOption: texts("give an option another text; repeatable", "old=new"),
};

const accountFlags = {
  accountType: offered(["github", "twitter", "custom"], text("github, twitter, or custom with --url-pattern", "type")),
  urlPattern: text("where the accounts are, with %(username)s", "url"),
};

const optionBinds = { addOption: "field_data", deleteOption: "field_data", renameOption: "field_data" } as const;
const accountBinds = { accountType: "field_data", urlPattern: "field_data" } as const;

const binds = keyedAs(fieldToggles, fieldFlag, (name) => name);

const attributes = ({ hint, ...toggles }: FlagValues<typeof flags>) => ({
  hint,
  ...keyed(fieldToggles, (name) => toggles[fieldFlag(name)]),
});

/** Says of each field how many people have a value. */
async function described(server: Server): Promise<[number, string][]> {
  const { custom_fields } = await server.call(getProfileFields, {});
  const { members } = await server.call(getUsers, { include_custom_profile_fields: true });
  return custom_fields.map(({ id, name }) => {
    const count = members.filter(({ profile_data: values }) => values && Object.hasOwn(values, id)).length;
    return [id, `"${name}" (${count ? counted(count, "person", "people") : "nobody"} filled it in)`];
  });
}

export const profileFieldNoun = noun("Custom fields of people's profiles", {
  create: changes(createProfileField, {
    doc: "Create a profile field",
    operands: { name: newName("the label") },
    flags: {
      type: requiredFlag(choice(namesOf(fieldTypes), "what a value is", "type", fieldTypes)),
      option: options("something to choose, in order; of the type options; repeatable"),
      ...accountFlags,
      ...flags,
    },
    binds: { ...binds, type: "field_type", option: "field_data", ...accountBinds },
    before: ({ type, option, accountType, urlPattern }) => {
      if (type === "options" && !option?.length)
        throw new Usage("--type options requires --option", { hint: "For example: --option Berlin --option Lisbon" });
      if (type !== "options" && option) throw new Usage("--option requires --type options");
      const account = accountType !== undefined ? "--account-type" : urlPattern !== undefined && "--url-pattern";
      if (account && type !== "account") throw new Usage(`${account} requires --type account`);
      if (!account && type === "account")
        throw new Usage("--type account requires --account-type or --url-pattern", {
          hint: "For example: --account-type github, or --url-pattern 'https://git.example.com/%(username)s'",
        });
    },
    args: ({ name, type, option, accountType, urlPattern, ...rest }) => ({
      name,
      field_type: fieldTypes[type],
      field_data: option
        ? optionsData(option.map((text, n) => ({ key: String(n), text })))
        : type === "account"
          ? accountData({ accountType, urlPattern })
          : undefined,
      ...attributes(rest),
    }),
    target: "name",
    done: "Created profile field {id}.",
    already: "Profile field {target} exists already.",
    operations: ["profile-field.list", "profile-field.update"],
    ids: "id",
    checkCommand: "profile-field list",
    note: "For --account-type github and twitter the server chooses the name and the hint.",
    examples: [
      "zulipctl profile-field create Team --type options --option Red --option Blue",
      "zulipctl profile-field create Forge --type account --url-pattern 'https://git.example.com/%(username)s'",
    ],
  }),

  update: changes(updateProfileField, {
    doc: "Change a profile field; what you leave out stays",
    operands: { field: one },
    flags: { newName: newName("the new label", "text"), ...optionFlags, ...accountFlags, ...flags },
    binds: { ...binds, newName: "name", ...optionBinds, ...accountBinds },
    someFlag: true,
    args: async ({ field, newName, ...rest }, context) => ({
      field_id: field.id,
      name: newName,
      field_data: await (await import("./profile-field/data.ts")).dataOf(context, field, rest),
      ...attributes(rest),
    }),
    asks: "sometimes",
    confirm: async ({ field, ...rest }, context) =>
      (await import("./profile-field/data.ts")).deletionQuestion(context, field, rest),
    // Options that exist already are no change.
    handling: ({ addOption, renameOption }) => ({ ifChanged: (addOption ?? renameOption) !== undefined }),
    target: "field",
    done: "Updated profile field {target}: {changed}.",
    checkCommand: "profile-field list",
    note: "The type of a field cannot change. People keep an option that is renamed, and lose one that is deleted.",
    examples: [
      "zulipctl profile-field update Phone --new-name 'Phone number' --no-required",
      "zulipctl profile-field update Office --add-option Oslo --rename-option Lisbon=Porto",
    ],
  }),

  rm: changesEach(removeProfileField, {
    doc: "Delete profile fields, with everybody's values",
    things: several,
    args: ({ id }) => ({ field_id: id }),
    done: "Deleted profile field {target}.",
    checkCommand: "profile-field list",
    confirm: deletion("profile field", described),
    examples: ["zulipctl profile-field rm Mentor --yes"],
  }),

  reorder: reorders(reorderProfileFields, {
    doc: "Move profile fields to the front, in this order",
    noun: "profile field",
    things: several,
    param: "order",
    checkCommand: "profile-field list",
    examples: ["zulipctl profile-field reorder Office Phone"],
  }),

  list: lists(getProfileFields, {
    doc: "List profile fields in their order",
    records: ({ custom_fields }) => custom_fields,
    emptyFields: [
      "hint",
      "field_data",
      "required",
      "editable_by_user",
      "id",
      "order",
      "name",
      "type",
      "display_in_profile_summary",
    ],
    id: "id",
    columns: {
      ID: "id",
      NAME: "name",
      TYPE: { value: ({ type }) => nameOf(fieldTypes, type) ?? String(type) },
      HINT: "hint",
    },
    examples: ["zulipctl profile-field list"],
  }),
});
