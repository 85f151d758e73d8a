/** What a file must not say, whatever the organization is, beyond the shape of values. */
import { contradicting } from "../../api/permission-settings.ts";
import type { Entry } from "../content.ts";
import { thingSections } from "../file.ts";
import { brief } from "../shape.ts";
import type { ThingSection } from "../words.ts";
import { duplicates, options, renames } from "./duplicates.ts";
import { entriesOf, type Stated } from "./entries.ts";
import { references } from "./references.ts";

/** Ids belong to one organization. */
function ids({ value, wrong }: Stated): void {
  if (value.organization !== undefined) return;
  const says = '"id" requires "organization": the URL of the organization that the file is for';
  for (const name of thingSections)
    for (const [n, entry] of entriesOf(value, name))
      if (Object.hasOwn(entry, "id")) wrong([name, n, "id"], says, "key");
}

function complete({ value, wrong }: Stated): void {
  for (const [n, name] of (value.complete ?? []).entries()) {
    const section = thingSections.find((each) => each === name);
    const things = section ? value[section] : [{}];
    if (!things?.length)
      wrong(
        ["complete", n],
        `"${name}" is ${things ? "empty" : "in no file"}: as a complete list it would remove everything`,
      );
  }
}

type Rule = (entry: Entry, wrong: (member: string, says: string, key?: "key") => void) => void;

const ofEntries: Partial<Record<ThingSection, Rule>> = {
  people({ email, invite, active }, wrong) {
    if (typeof email === "string" && !/^\S+@\S+$/.test(email.trim()))
      wrong("email", `"${brief(email)}" is not an e-mail address`);
    if (invite !== true) return;
    if (email === undefined) wrong("invite", 'missing "email": required for an invitation', "key");
    if (active === false) wrong("active", '"invite: true" cannot be combined with "active: false"', "key");
  },
  profile_fields(entry, wrong) {
    for (const [name, type] of Object.entries({ options: "options", field_data: "account" }))
      if (Object.hasOwn(entry, name) && entry.type !== undefined && entry.type !== type)
        wrong(name, `only fields of type ${type} have "${name}"`, "key");
  },
  // New people are subscribed to channels that are public and in use: archiving one ends that, and no server takes a private one.
  channels({ is_private, is_web_public, is_default_stream, archived }, wrong) {
    if (contradicting(is_private, is_web_public))
      wrong("is_web_public", "a channel cannot be both private and web-public", "key");
    const state = archived === true ? "archived" : is_private === true ? "private" : undefined;
    if (is_default_stream === true && state)
      wrong("is_default_stream", `a channel that is ${state} cannot be a default channel`, "key");
  },
  groups({ name }, wrong) {
    if (typeof name === "string" && name.startsWith("role:"))
      wrong("name", `${brief(name)} is a system group: files cannot change it`);
  },
};

/** `whole`: every file was read, so that what is not there is nowhere. */
export function rules(stated: Stated, whole: boolean): void {
  const { value, wrong } = stated;
  if (whole) {
    ids(stated);
    complete(stated);
  }
  for (const section of thingSections) {
    duplicates(stated, section);
    renames(stated, section);
    for (const [n, entry] of entriesOf(value, section))
      ofEntries[section]?.(entry, (member, says, key) => wrong([section, n, member], says, key));
  }
  for (const [n, field] of entriesOf(value, "profile_fields"))
    if (Array.isArray(field.options)) options(stated, ["profile_fields", n, "options"], field.options);
  references(stated);
}
