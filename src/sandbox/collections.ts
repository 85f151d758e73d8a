/** The organization's simple collections: how each is kept, shown and told of; domains and playgrounds whole. */
import { addDomain, getDomains, removeDomain, updateDomain } from "../api/domains.ts";
import { addPlayground, removePlayground } from "../api/playgrounds.ts";
import { strip } from "../folding.ts";
import { readUrlTemplate } from "../notation/url-template.ts";
import type { ArgsOf } from "../wire/operation.ts";
import { Broken, refused } from "./answers.ts";
import { sendToAll, settingChanged } from "./events/queue.ts";
import { on, since, type Visit } from "./router.ts";
import { nextId, type State } from "./state.ts";
import { lengthOf } from "./text.ts";

export interface Linkifier {
  id: number;
  pattern: string;
  url_template: string;
  example_input: string | null;
  reverse_template: string | null;
  alternative_url_templates: string[];
}

/** Types: 1 short text, 2 long text, 3 list, 4 date, 5 URL, 6 people, 7 external account, 8 pronouns. */
export interface ProfileField {
  id: number;
  name: string;
  type: number;
  hint: string;
  field_data: string;
  order: number;
  required: boolean;
  editable_by_user: boolean;
  display_in_profile_summary: boolean;
}

/** In the order in which they are shown, and linkifiers apply. */
export interface Collections {
  linkifiers: Linkifier[];
  profile_fields: ProfileField[];
  domains: ({ id: number } & ArgsOf<typeof addDomain>)[];
  playgrounds: ({ id: number } & ArgsOf<typeof addPlayground>)[];
}

export const noCollections = (): Collections => ({
  linkifiers: [],
  profile_fields: [],
  domains: [],
  playgrounds: [],
});

interface Shown {
  /** The name of the part of `register`, of its member, and of the event. */
  type: string;
  /** The member of the event, where it has another name. */
  member?: string;
  records(visit: Visit): object;
}

export const collections: { readonly [N in keyof Collections]: Shown } = {
  linkifiers: {
    type: "realm_linkifiers",
    records: ({ state, level }) =>
      state.linkifiers.map(({ example_input, reverse_template, alternative_url_templates, ...linkifier }) => ({
        ...linkifier,
        ...since(level, 471, { example_input, reverse_template }),
        ...since(level, 478, { alternative_url_templates }),
      })),
  },
  profile_fields: {
    type: "custom_profile_fields",
    member: "fields",
    records: ({ state, level }) =>
      state.profile_fields.map(({ display_in_profile_summary, ...field }) => ({
        ...field,
        ...since(level, 455, { use_for_user_matching: false }),
        // There only where it is true.
        ...(display_in_profile_summary ? { display_in_profile_summary } : {}),
      })),
  },
  domains: {
    type: "realm_domains",
    records: ({ state }) => state.domains.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains })),
  },
  playgrounds: { type: "realm_playgrounds", records: ({ state }) => state.playgrounds },
};

/** Tells everybody what the collection holds now. */
export function changed(visit: Visit, name: keyof Collections): void {
  const { type, member = type, records } = collections[name];
  sendToAll(visit, { type, [member]: records(visit) });
}

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

function domainNamed({ domains }: State, name: string) {
  const found = domains.find((each) => each.domain === name);
  if (!found) throw refused(`No entry found for domain ${name}.`);
  return found;
}

/** Everything that is wrong with a playground, by its members. */
function wrongWith(state: State, { name, pygments_language, url_template }: ArgsOf<typeof addPlayground>) {
  const errors: { [member: string]: string[] } = {};
  const add = (member: string, msg: string) => {
    errors[member] = [...(errors[member] ?? []), msg];
  };
  const blank = "This field cannot be blank.";
  const variables = url_template === "" ? undefined : readUrlTemplate(url_template)?.names;
  if (url_template === "") add("url_template", blank);
  else if (!variables) add("url_template", "Invalid URL template.");
  if (pygments_language === "") add("pygments_language", blank);
  if (name === "") add("name", blank);
  if (url_template !== "" && !variables) return errors;
  if (!variables?.includes("code")) add("__all__", 'Missing the required variable "code" in the URL template');
  else if (variables.length > 1) add("__all__", '"code" should be the only variable present in the URL template');
  const twin = state.playgrounds.some((each) => each.name === name && each.pygments_language === pygments_language);
  if (twin && name !== "" && pygments_language !== "") {
    add("__all__", "Realm playground with this Realm, Pygments language and Name already exists.");
  }
  return errors;
}

export const collectionRoutes = [
  on(getDomains, { silent: true }, (call) => ({ domains: collections.domains.records(call) })),

  on(addDomain, { who: "owner" }, (call, { domain: given, allow_subdomains }) => {
    const { domains } = call.state;
    const domain = strip(given).toLowerCase();
    const wrong = badDomain(domain);
    if (wrong) throw refused(`Invalid domain: ${wrong}`);
    if (domains.some((each) => each.domain === domain)) {
      throw refused(`The domain ${domain} is already a part of your organization.`);
    }
    const id = nextId(call.state, "domain");
    domains.push({ id, domain, allow_subdomains });
    sendToAll(call, { type: "realm_domains", op: "add", realm_domain: { domain, allow_subdomains } });
    return { new_domain: [id, domain] };
  }),

  on(updateDomain, { who: "owner" }, (call, { domain, allow_subdomains }) => {
    domainNamed(call.state, domain).allow_subdomains = allow_subdomains;
    sendToAll(call, { type: "realm_domains", op: "change", realm_domain: { domain, allow_subdomains } });
    return {};
  }),

  on(removeDomain, { who: "owner" }, (call, { domain }) => {
    const { state } = call;
    const found = domainNamed(state, domain);
    state.domains = state.domains.filter((each) => each !== found);
    const { settings } = state.organization;
    // Without any domain nobody could come in, so that the restriction goes with the last one.
    if (state.domains.length === 0 && settings.emails_restricted_to_domains) {
      settings.emails_restricted_to_domains = false;
      settingChanged(call, "emails_restricted_to_domains", false);
    }
    sendToAll(call, { type: "realm_domains", op: "remove", domain });
    return {};
  }),

  on(
    addPlayground,
    {
      who: "administrator",
      order: ["name", "url_template", "pygments_language"],
      decode: {
        pygments_language: (text: string) => {
          if (!/^[ a-zA-Z0-9_+\-./#]*$/.test(strip(text))) throw refused("Invalid characters in pygments language");
          return text;
        },
      },
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
      changed(call, "playgrounds");
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
      settingChanged(call, "default_code_block_language", "");
    }
    state.playgrounds = state.playgrounds.filter((each) => each !== found);
    changed(call, "playgrounds");
    return {};
  }),
];
