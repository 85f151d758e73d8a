/** The organization's small collections: domains and playgrounds. */

import { addDomain, getDomains, removeDomain, updateDomain } from "../../api/domains.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import { strip } from "../../folding.ts";
import { readUrlTemplate } from "../../notation/url-template.ts";
import { Broken, refused } from "../api-error.ts";
import type { Decoder } from "../decode.ts";
import * as tell from "../events/organization.ts";
import { lengthOf } from "../names.ts";
import type { Domain, Playground } from "../organization-state.ts";
import { on } from "../router.ts";
import { nextId, type State } from "../state.ts";

/** Why a text is no domain; undefined where it is one. */
function badDomain(text: string): string | undefined {
  if (text === "") return "Domain can't be empty.";
  if (!text.includes(".")) return "Domain must have at least one dot (.)";
  if (lengthOf(text) > 255) return "Domain is too long";
  if (text.startsWith(".") || text.endsWith(".")) return "Domain cannot start or end with a dot (.)";
  for (const part of text.split(".")) {
    if (part === "") return "Consecutive '.' are not allowed.";
    if (part.startsWith("-") || part.endsWith("-")) return "Subdomains cannot start or end with a '-'.";
    if (!/^[a-z0-9-]*$/.test(part)) return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return undefined;
}

function domain({ domains }: State, name: string): Domain {
  const found = domains.find((each) => each.domain === name);
  if (!found) throw refused(`No entry found for domain ${name}.`);
  return found;
}

const language: Decoder<string> = (text) => {
  if (!/^[ a-zA-Z0-9_+\-./#]*$/.test(strip(text))) throw refused("Invalid characters in pygments language");
  return text;
};

const blank = "This field cannot be blank.";

/** Everything that is wrong with a playground, by its members. */
function wrongWith({ playgrounds }: State, { name, pygments_language, url_template }: Omit<Playground, "id">) {
  const errors: { [member: string]: string[] } = {};
  const add = (member: string, msg: string) => {
    errors[member] = [...(errors[member] ?? []), msg];
  };
  const variables = url_template === "" ? undefined : readUrlTemplate(url_template)?.names;
  if (url_template === "") add("url_template", blank);
  else if (!variables) add("url_template", "Invalid URL template.");
  if (pygments_language === "") add("pygments_language", blank);
  if (name === "") add("name", blank);
  if (url_template !== "" && !variables) return errors;
  if (!variables?.includes("code")) add("__all__", 'Missing the required variable "code" in the URL template');
  else if (variables.length > 1) add("__all__", '"code" should be the only variable present in the URL template');
  const twin = playgrounds.some((each) => each.name === name && each.pygments_language === pygments_language);
  if (twin && name !== "" && pygments_language !== "") {
    add("__all__", "Realm playground with this Realm, Pygments language and Name already exists.");
  }
  return errors;
}

export const collectionRoutes = [
  on(getDomains, { silent: true }, ({ state }) => ({
    domains: state.domains.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains })),
  })),

  on(addDomain, { who: "owner" }, (call, { domain: given, allow_subdomains }) => {
    const { state } = call;
    const name = strip(given).toLowerCase();
    const wrong = badDomain(name);
    if (wrong) throw refused(`Invalid domain: ${wrong}`);
    if (state.domains.some((each) => each.domain === name)) {
      throw refused(`The domain ${name} is already a part of your organization.`);
    }
    const made = { id: nextId(state, "domain"), domain: name, allow_subdomains };
    state.domains.push(made);
    tell.domainAdded(call, made);
    return { new_domain: [made.id, name] };
  }),

  on(updateDomain, { who: "owner" }, (call, { domain: name, allow_subdomains }) => {
    const found = domain(call.state, name);
    found.allow_subdomains = allow_subdomains;
    tell.domainChanged(call, found);
    return {};
  }),

  on(removeDomain, { who: "owner" }, (call, { domain: name }) => {
    const { state } = call;
    const found = domain(state, name);
    state.domains = state.domains.filter((each) => each !== found);
    const { settings } = state.organization;
    // Without any domain nobody could come in, so that the restriction goes with the last one.
    if (state.domains.length === 0 && settings.emails_restricted_to_domains) {
      settings.emails_restricted_to_domains = false;
      tell.settingChanged(call, "emails_restricted_to_domains", false);
    }
    tell.domainRemoved(call, found);
    return {};
  }),

  on(
    addPlayground,
    {
      who: "administrator",
      order: ["name", "url_template", "pygments_language"],
      decode: { pygments_language: language },
    },
    (call, { name, pygments_language, url_template }) => {
      const { state } = call;
      const given = {
        name: strip(name),
        pygments_language: strip(pygments_language),
        url_template: strip(url_template),
      };
      if (lengthOf(given.pygments_language) > 40) throw new Broken();
      const errors = wrongWith(state, given);
      const [msg] = Object.values(errors).flat();
      if (msg) throw refused(msg, { errors });
      const id = nextId(state, "playground");
      state.playgrounds.push({ id, ...given });
      tell.playgroundsChanged(call);
      return { id };
    },
  ),

  on(removePlayground, { who: "administrator" }, (call, { playground_id }) => {
    const { state } = call;
    const found = state.playgrounds.find(({ id }) => id === playground_id);
    if (!found) throw refused("Invalid playground");
    const { settings } = state.organization;
    // Another playground for the language does not keep it.
    if (settings.default_code_block_language === found.pygments_language) {
      settings.default_code_block_language = "";
      tell.settingChanged(call, "default_code_block_language", "");
    }
    state.playgrounds = state.playgrounds.filter((each) => each !== found);
    tell.playgroundsChanged(call);
    return {};
  }),
];
