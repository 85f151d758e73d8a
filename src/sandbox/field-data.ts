/** What custom profile fields are told beside their name: the options of a list, the kind of an account. */
import { refused } from "./api-error.ts";
import { isUrl } from "./names.ts";

export type FieldData = { [key: string]: string | { [name: string]: string } };

/** Accounts elsewhere whose names and addresses the server knows itself. */
export const defaultAccounts: {
  readonly [subtype: string]: { name: string; text: string; hint: string; url_pattern: string };
} = {
  twitter: { text: "Twitter", url_pattern: "https://twitter.com/%(username)s", name: "Twitter username", hint: "" },
  github: { text: "GitHub", url_pattern: "https://github.com/%(username)s", name: "GitHub username", hint: "" },
};

function checkOptions(data: FieldData): void {
  const options = Object.entries(data);
  if (options.length === 0) throw refused("Field must have at least one choice.");
  const texts: string[] = [];
  for (const [key, option] of options) {
    if (key.trim() === "") throw refused("'value' cannot be blank.");
    if (typeof option !== "object") throw refused("field_data is not a dict");
    for (const member of ["text", "order"]) {
      if (option[member] === undefined) throw refused(`${member} key is missing from field_data`);
      if (option[member]!.trim() === "") throw refused(`field_data["${member}"] cannot be blank.`);
    }
    const stray = Object.keys(option).find((member) => member !== "text" && member !== "order");
    if (stray !== undefined) throw refused(`Unexpected arguments: ${stray}`);
    texts.push(option.text!);
  }
  if (new Set(texts).size < texts.length) throw refused("Field must not have duplicate choices.");
}

function checkAccount(data: FieldData): void {
  const { subtype, url_pattern } = data;
  if (subtype === undefined) throw refused("subtype key is missing from field_data");
  if (typeof subtype !== "string") throw refused('field_data["subtype"] is not a string');
  const stray = Object.keys(data).filter((member) => member !== "subtype" && member !== "url_pattern");
  if (stray.length > 0) throw refused(`Unexpected arguments: ${stray.join(", ")}`);
  if (Object.hasOwn(defaultAccounts, subtype)) return;
  if (subtype !== "custom") throw refused("Invalid external account type");
  if (url_pattern === undefined) throw refused("Custom external account must define URL pattern");
  if (typeof url_pattern !== "string") throw refused('field_data["url_pattern"] is not a string');
  if (url_pattern.split("%(username)s").length !== 2) throw refused("URL pattern must contain '%(username)s'.");
  if (!isUrl(url_pattern.replace("%(username)s", "username"))) throw refused('field_data["url_pattern"] is not a URL');
}

/** As it is kept; other kinds of fields have none, and what is said of them is dropped. */
export function checkFieldData(type: number, data: FieldData): string {
  if (type === 3) checkOptions(data);
  else if (type === 7) checkAccount(data);
  else return "";
  return JSON.stringify(data);
}
