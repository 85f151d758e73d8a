import {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from "../../api/linkifiers.ts";
import { strip } from "../../folding.ts";
import { judge } from "../../notation/linkifier.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { Broken, refused } from "../answers.ts";
import { changed, collections, type Linkifier } from "../collections.ts";
import { type Call, on } from "../router.ts";
import { nextId } from "../state.ts";

const nul = "\u0000";

type Given = ArgsOf<typeof addLinkifier>;

/** What is to be kept, judged beside the others; parameters that are absent stay as they were. */
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
  const refusal = judge(linkifier, taken);
  if (refusal) throw refused(refusal.msg, { errors: refusal.errors });
  if (Object.values(linkifier).some((value) => String(value).includes(nul))) throw new Broken();
  return linkifier;
}

function known({ state }: Call, id: number): Linkifier {
  const found = state.linkifiers.find((each) => each.id === id);
  if (!found) throw refused("Linkifier not found.");
  return found;
}

export const linkifierRoutes = [
  on(getLinkifiers, { silent: true }, (call) => ({ linkifiers: collections.linkifiers.records(call) })),

  on(addLinkifier, { who: "administrator" }, (call, given) => {
    const linkifier = candidate(call, given);
    const id = nextId(call.state, "linkifier");
    call.state.linkifiers.push({ id, ...linkifier });
    changed(call, "linkifiers");
    return { id };
  }),

  on(updateLinkifier, { who: "administrator" }, (call, { filter_id, ...given }) => {
    const linkifier = known(call, filter_id);
    Object.assign(linkifier, candidate(call, given, linkifier));
    changed(call, "linkifiers");
    return {};
  }),

  on(removeLinkifier, { who: "administrator", silent: true }, (call, { filter_id }) => {
    const linkifier = known(call, filter_id);
    call.state.linkifiers = call.state.linkifiers.filter((each) => each !== linkifier);
    changed(call, "linkifiers");
    return {};
  }),

  on(reorderLinkifiers, { who: "administrator" }, (call, { ordered_linkifier_ids: ids }) => {
    const { state } = call;
    if (new Set(ids).size < ids.length) throw refused("The ordered list must not contain duplicated linkifiers");
    const ordered = ids.flatMap((id) => state.linkifiers.find((each) => each.id === id) ?? []);
    if (ordered.length !== state.linkifiers.length || ids.length !== ordered.length) {
      throw refused("The ordered list must enumerate all existing linkifiers exactly once");
    }
    state.linkifiers = ordered;
    // Where there are none, nothing is written and nothing told.
    if (ordered.length > 0) changed(call, "linkifiers");
    return {};
  }),
];
