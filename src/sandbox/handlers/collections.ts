/** Linkifiers, domains and playgrounds. */
import { addDomain, getDomains, removeDomain, updateDomain } from "../../api/domains.ts";
import {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from "../../api/linkifiers.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import { strip } from "../../folding.ts";
import { checkLinkifier } from "../../notation/linkifier.ts";
import { readUrlTemplate } from "../../notation/url-template.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { Broken, orRefused, refused } from "../answers.ts";
import { changed, collections, type Linkifier } from "../collections.ts";
import { sendToAll, settingChanged } from "../events/queue.ts";
import { type Call, on } from "../router.ts";
import { nextId, type State } from "../state.ts";
import { lengthOf } from "../text.ts";

const nul = "\u0000";

type Given = ArgsOf<typeof addLinkifier>;

/** Checks the new values beside the others. Absent parameters stay unchanged. */
function candidate({ state }: Call, given: Given, before?: Linkifier): Omit<Linkifier, "id"> {
  const text = (sent: string | undefined, was: string | null = null) =>
    sent === undefined ? was : strip(sent) || null;
  const linkifier = {
    pattern: strip(given.pattern),
    url_template: strip(given.url_template),
    example_input: text(given.example_input, before?.example_input),
    reverse_template: text(given.reverse_template, before?.reverse_template),
    alternative_url_templates: given.alternative_url_templates ?? before?.alternative_url_templates ?? [],
  };
  // The database takes no NUL: it breaks when asked for the pattern, whatever else is wrong, or when it is to keep the rest.
  if (linkifier.pattern.includes(nul)) throw new Broken();
  const taken = (pattern: string) =>
    state.linkifiers.some((each) => each.id !== before?.id && each.pattern === pattern);
  const refusal = checkLinkifier(linkifier, taken);
  if (refusal) throw refused(refusal.msg, { errors: refusal.errors });
  if (Object.values(linkifier).some((value) => String(value).includes(nul))) throw new Broken();
  return linkifier;
}

const linkifierOf = ({ linkifiers }: State, id: number): Linkifier => {
  const found = linkifiers.find((each) => each.id === id);
  return orRefused(found, "Linkifier not found.");
};

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

const domainNamed = ({ domains }: State, name: string) => {
  const found = domains.find((each) => each.domain === name);
  return orRefused(found, `No entry found for domain ${name}.`);
};

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
  on(getLinkifiers, { silent: true }, (call) => ({ linkifiers: collections.linkifiers.records(call) })),

  on(addLinkifier, { who: "administrator" }, (call, given) => {
    const linkifier = candidate(call, given);
    const id = nextId(call.state, "linkifier");
    call.state.linkifiers.push({ id, ...linkifier });
    changed(call, "linkifiers");
    return { id };
  }),

  on(updateLinkifier, { who: "administrator" }, (call, { filter_id, ...given }) => {
    const linkifier = linkifierOf(call.state, filter_id);
    Object.assign(linkifier, candidate(call, given, linkifier));
    changed(call, "linkifiers");
  }),

  on(removeLinkifier, { who: "administrator", silent: true }, (call, { filter_id }) => {
    const linkifier = linkifierOf(call.state, filter_id);
    call.state.linkifiers = call.state.linkifiers.filter((each) => each !== linkifier);
    changed(call, "linkifiers");
  }),

  on(reorderLinkifiers, { who: "administrator" }, (call, { ordered_linkifier_ids: ids }) => {
    const { state } = call;
    if (new Set(ids).size < ids.length) throw refused("The ordered list must not contain duplicated linkifiers");
    const ordered = ids.flatMap((id) => state.linkifiers.find((each) => each.id === id) ?? []);
    if (ordered.length !== state.linkifiers.length || ids.length !== ordered.length) {
      throw refused("The ordered list must enumerate all existing linkifiers exactly once");
    }
    state.linkifiers = ordered;
    // An empty list changes nothing and sends no event.
    if (ordered.length > 0) changed(call, "linkifiers");
  }),

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
  }),

  on(
    addPlayground,
    {
      who: "administrator",
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
    const there = state.playgrounds.find(({ id }) => id === playground_id);
    const found = orRefused(there, "Invalid playground");
    const { settings } = state.organization;
    // Another playground for the language does not keep it.
    if (settings.default_code_block_language === found.pygments_language) {
      settings.default_code_block_language = "";
      settingChanged(call, "default_code_block_language", "");
    }
    state.playgrounds = state.playgrounds.filter((each) => each !== found);
    changed(call, "playgrounds");
  }),
];
