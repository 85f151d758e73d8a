/** What a file must not say whatever the organization is, beyond the shape of values. */
import { contradicting } from "../../api/permission-settings.ts";
import { brief } from "../check.ts";
import type { Path } from "../content.ts";
import { thingSections } from "../file.ts";
import { twice } from "./duplicates.ts";
import { entriesOf, type Stated } from "./entries.ts";
import { inWords } from "./problems.ts";
import { references } from "./references.ts";
import { renames } from "./renames.ts";

function wrong({ at, problems }: Stated, path: Path, says: string, key?: "key"): void {
  problems.add(() => at(path, key), says);
}

/** Ids are one organization's. */
function ids(stated: Stated): void {
  if (stated.value.organization !== undefined) return;
  for (const name of thingSections)
    for (const [n, entry] of entriesOf(stated, name))
      if (Object.hasOwn(entry, "id"))
        wrong(
          stated,
          [name, n, "id"],
          '"id" requires "organization": the URL of the organization that the file is for',
          "key",
        );
}

function complete(stated: Stated): void {
  const { value } = stated;
  const seen = new Map<unknown, number>();
  for (const [n, name] of (value.complete ?? []).entries()) {
    const first = seen.get(name);
    if (first !== undefined && !isSame(stated, first, n))
      stated.problems.add(
        () => stated.at(["complete", n]),
        () => `"${name}" appears twice; first in ${inWords(stated.at(["complete", first]))}`,
      );
    else if (first === undefined) seen.set(name, n);
    const section = thingSections.find((each) => each === name);
    const things = section ? value[section] : [{}];
    if (!things?.length)
      wrong(
        stated,
        ["complete", n],
        `"${name}" is ${things ? "empty" : "in no file"}: as a complete list it would remove everything`,
      );
  }
}

/** Within one file the check has told of it. */
const isSame = ({ at }: Stated, a: number, b: number): boolean => at(["complete", a]).file === at(["complete", b]).file;

function people(stated: Stated): void {
  for (const [n, { email, invite, active }] of entriesOf(stated, "people")) {
    if (typeof email === "string" && !/^\S+@\S+$/.test(email.trim()))
      wrong(stated, ["people", n, "email"], `"${brief(email)}" is not an e-mail address`);
    if (invite !== true) continue;
    if (email === undefined)
      wrong(stated, ["people", n, "invite"], 'missing "email": required for an invitation', "key");
    if (active === false)
      wrong(stated, ["people", n, "active"], '"invite: true" cannot be combined with "active: false"', "key");
  }
}

function fields(stated: Stated): void {
  const of = { options: "options", field_data: "account" };
  for (const [n, entry] of entriesOf(stated, "profile_fields"))
    for (const [name, type] of Object.entries(of))
      if (Object.hasOwn(entry, name) && entry.type !== undefined && entry.type !== type)
        wrong(stated, ["profile_fields", n, name], `only fields of type ${type} have "${name}"`, "key");
}

/** New people are subscribed to channels that are public and in use: archiving one ends that, and no server takes a private one. */
function channels(stated: Stated): void {
  for (const [n, entry] of entriesOf(stated, "channels")) {
    const { is_private, is_web_public, is_default_stream, archived } = entry;
    if (contradicting(is_private, is_web_public))
      wrong(stated, ["channels", n, "is_web_public"], "a channel cannot be both private and web-public", "key");
    const not = archived === true ? "is archived" : is_private === true ? "is private" : undefined;
    if (is_default_stream !== true || not === undefined) continue;
    const says = `a channel that ${not} cannot be a default channel`;
    wrong(stated, ["channels", n, "is_default_stream"], says, "key");
  }
}

function systemGroups(stated: Stated): void {
  for (const [n, { name }] of entriesOf(stated, "groups"))
    if (typeof name === "string" && name.startsWith("role:"))
      wrong(stated, ["groups", n, "name"], `${brief(name)} is a system group: files cannot change it`);
}

/** `whole`: every file was read, so that what is not there is nowhere. */
export function rules(stated: Stated, whole: boolean): void {
  if (whole) {
    ids(stated);
    complete(stated);
  }
  for (const name of thingSections) {
    twice(stated, name);
    renames(stated, name);
  }
  people(stated);
  fields(stated);
  channels(stated);
  systemGroups(stated);
  references(stated);
}
