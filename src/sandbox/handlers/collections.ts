/** Linkifiers, domains and playgrounds. */
import { addDomain, getDomains, removeDomain, updateDomain } from "../../api/domains.ts";
import * as api from "../../api/linkifiers.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import { strip } from "../../common/folding.ts";
import { checkLinkifier } from "../../notation/linkifier.ts";
import { readUrlTemplate } from "../../notation/url-template.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { badRequest, InternalError, requireFound } from "../answers.ts";
import { collectionRecords, itemById, sendCollection } from "../collections.ts";
import { sendSettingChanged, sendToAll } from "../events/queue.ts";
import { type HandlerCall, on } from "../router.ts";
import { nextId, type SandboxState } from "../state.ts";
import type { StoredLinkifier } from "../stored-collections.ts";
import { checkStorable, lengthOf } from "../text.ts";

type LinkifierArgs = ArgsOf<typeof api.addLinkifier>;

/** Checks a linkifier. Absent parameters keep their values. */
function linkifierFrom(
  { state }: HandlerCall,
  args: LinkifierArgs,
  before?: StoredLinkifier,
): Omit<StoredLinkifier, "id"> {
  const text = (sent: string | undefined, was: string | null = null) =>
    sent === undefined ? was : strip(sent) || null;
  const linkifier = {
    pattern: strip(args.pattern),
    url_template: strip(args.url_template),
    example_input: text(args.example_input, before?.example_input),
    reverse_template: text(args.reverse_template, before?.reverse_template),
    alternative_url_templates: args.alternative_url_templates ?? before?.alternative_url_templates ?? [],
  };
  // A pattern is used for a search before the other checks.
  checkStorable(linkifier.pattern);
  const isTaken = (pattern: string) =>
    state.linkifiers.some((each) => each.id !== before?.id && each.pattern === pattern);
  const refusal = checkLinkifier(linkifier, isTaken);
  if (refusal) throw badRequest(refusal.msg, { errors: refusal.errors });
  checkStorable(Object.values(linkifier).join());
  return linkifier;
}

const linkifierOf = ({ linkifiers }: SandboxState, id: number): StoredLinkifier =>
  itemById(linkifiers, id, "Linkifier not found.");

function checkDomain(domain: string): void {
  const invalid = (why: string) => badRequest(`Invalid domain: ${why}`);
  if (domain === "") throw invalid("Domain can't be empty.");
  if (!domain.includes(".")) throw invalid("Domain must have at least one dot (.)");
  if (lengthOf(domain) > 255) throw invalid("Domain is too long");
  if (domain.startsWith(".") || domain.endsWith(".")) throw invalid("Domain cannot start or end with a dot (.)");
  for (const part of domain.split(".")) {
    if (part === "") throw invalid("Consecutive '.' are not allowed.");
    if (part.startsWith("-") || part.endsWith("-")) throw invalid("Subdomains cannot start or end with a '-'.");
    if (!/^[a-z0-9-]*$/.test(part)) throw invalid("Domain can only have letters, numbers, '.' and '-'s.");
  }
}

const domainNamed = ({ domains }: SandboxState, name: string) => {
  const found = domains.find((each) => each.domain === name);
  return requireFound(found, `No entry found for domain ${name}.`);
};

/** Refuses a playground with everything that is wrong with it. */
function checkPlayground(
  state: SandboxState,
  { name, pygments_language, url_template }: ArgsOf<typeof addPlayground>,
): void {
  const blank = "This field cannot be blank.";
  const variables = readUrlTemplate(url_template)?.names;
  const isInvalid = url_template !== "" && !variables;
  const isDuplicate = state.playgrounds.some(
    (each) => each.name === name && each.pygments_language === pygments_language,
  );
  const all: string[] = [];
  if (!variables?.includes("code")) all.push('Missing the required variable "code" in the URL template');
  else if (variables.length > 1) all.push('"code" should be the only variable present in the URL template');
  if (isDuplicate) all.push("Realm playground with this Realm, Pygments language and Name already exists.");
  const errors: { [member: string]: string[] } = {
    ...(url_template === "" && { url_template: [blank] }),
    ...(isInvalid && { url_template: ["Invalid URL template."] }),
    ...(pygments_language === "" && { pygments_language: [blank] }),
    ...(name === "" && { name: [blank] }),
    ...(!isInvalid && all.length > 0 && { __all__: all }),
  };
  const [msg] = Object.values(errors).flat();
  if (msg) throw badRequest(msg, { errors });
}

export const collectionRoutes = [
  on(api.getLinkifiers, { silent: true }, (call) => ({ linkifiers: collectionRecords(call, "linkifier") })),

  on(api.addLinkifier, {}, (call, args) => {
    const linkifier = linkifierFrom(call, args);
    const id = nextId(call.state, "linkifier");
    call.state.linkifiers.push({ id, ...linkifier });
    sendCollection(call, "linkifier");
    return { id };
  }),

  on(api.updateLinkifier, {}, (call, { filter_id, ...args }) => {
    const linkifier = linkifierOf(call.state, filter_id);
    Object.assign(linkifier, linkifierFrom(call, args, linkifier));
    sendCollection(call, "linkifier");
  }),

  on(api.removeLinkifier, { silent: true }, (call, { filter_id }) => {
    const linkifier = linkifierOf(call.state, filter_id);
    call.state.linkifiers = call.state.linkifiers.filter((each) => each !== linkifier);
    sendCollection(call, "linkifier");
  }),

  on(api.reorderLinkifiers, {}, (call, { ordered_linkifier_ids: ids }) => {
    const { state } = call;
    if (new Set(ids).size < ids.length) throw badRequest("The ordered list must not contain duplicated linkifiers");
    const ordered = ids.flatMap((id) => state.linkifiers.find((each) => each.id === id) ?? []);
    if (ordered.length !== state.linkifiers.length || ids.length !== ordered.length) {
      throw badRequest("The ordered list must enumerate all existing linkifiers exactly once");
    }
    state.linkifiers = ordered;
    // An empty list changes nothing and sends no event.
    if (ordered.length > 0) sendCollection(call, "linkifier");
  }),

  on(getDomains, { silent: true }, (call) => ({ domains: collectionRecords(call, "domain") })),

  on(addDomain, {}, (call, { domain: typed, allow_subdomains }) => {
    const { domains } = call.state;
    const domain = strip(typed).toLowerCase();
    checkDomain(domain);
    if (domains.some((each) => each.domain === domain)) {
      throw badRequest(`The domain ${domain} is already a part of your organization.`);
    }
    const id = nextId(call.state, "domain");
    domains.push({ id, domain, allow_subdomains });
    sendToAll(call, { type: "realm_domains", op: "add", realm_domain: { domain, allow_subdomains } });
    return { new_domain: [id, domain] };
  }),

  on(updateDomain, {}, (call, { domain, allow_subdomains }) => {
    domainNamed(call.state, domain).allow_subdomains = allow_subdomains;
    sendToAll(call, { type: "realm_domains", op: "change", realm_domain: { domain, allow_subdomains } });
  }),

  on(removeDomain, {}, (call, { domain }) => {
    const { state } = call;
    const found = domainNamed(state, domain);
    state.domains = state.domains.filter((each) => each !== found);
    const { settings } = state.organization;
    // The restriction goes with the last domain: otherwise nobody could join.
    if (state.domains.length === 0 && settings.emails_restricted_to_domains) {
      settings.emails_restricted_to_domains = false;
      sendSettingChanged(call, "emails_restricted_to_domains", false);
    }
    sendToAll(call, { type: "realm_domains", op: "remove", domain });
  }),

  on(
    addPlayground,
    {
      decode: {
        pygments_language: (text: string) => {
          if (!/^[ a-zA-Z0-9_+\-./#]*$/.test(strip(text))) throw badRequest("Invalid characters in pygments language");
          return text;
        },
      },
    },
    (call, { name, pygments_language, url_template }) => {
      const { state } = call;
      const playground = {
        name: strip(name),
        pygments_language: strip(pygments_language),
        url_template: strip(url_template),
      };
      if (lengthOf(playground.pygments_language) > 40) throw new InternalError();
      checkPlayground(state, playground);
      const id = nextId(state, "playground");
      state.playgrounds.push({ id, ...playground });
      sendCollection(call, "playground");
      return { id };
    },
  ),

  on(removePlayground, {}, (call, { playground_id }) => {
    const { state } = call;
    const found = itemById(state.playgrounds, playground_id, "Invalid playground");
    const { settings } = state.organization;
    // The language is reset even if it has another playground.
    if (settings.default_code_block_language === found.pygments_language) {
      settings.default_code_block_language = "";
      sendSettingChanged(call, "default_code_block_language", "");
    }
    state.playgrounds = state.playgrounds.filter((each) => each !== found);
    sendCollection(call, "playground");
  }),
];
