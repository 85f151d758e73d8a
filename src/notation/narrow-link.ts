/** Reads links of the app that show a search: `https://chat.example.com/#narrow/channel/2-general/topic/a.20b`. */
import { Usage } from "../errors.ts";

/** A term of a link, with its operand as the app means it. */
interface LinkTerm {
  readonly operator: string;
  readonly operand: string;
  readonly negated: boolean;
}

export interface NarrowLink {
  /** The address of the organization. Undefined for a link that begins with `#narrow`. */
  readonly site: URL | undefined;
  readonly terms: readonly LinkTerm[];
}

const form = /^(?<site>[^\s#]*)#narrow(?:\/(?<path>\S*))?$/;

/** Links of the app to what is no search. */
const otherViews =
  /^\S*\/#(?:settings|organization|channels|streams|groups|user|inbox|recent|recent_topics|feed|all_messages|drafts|scheduled|reminders|invite)(?:\/\S*)?$/;

/** `#**general>release plan**`, as messages have it. */
const mention = /^#\*\*(?<channel>[^*>]+)(?:>(?<topic>[^*@]*)(?:@\d+)?)?\*\*$/;

/** Old names of operators. In a link, `stream` and `channel` are the same. */
const newNames: Readonly<Record<string, string>> = {
  stream: "channel",
  streams: "channels",
  subject: "topic",
  "pm-with": "dm",
  "group-pm-with": "dm-including",
};

const withIds = new Set(["channel", "dm", "dm-including", "sender", "mentions"]);

/** Operators that say where the app begins to show messages. */
const places = new Set(["near", "with"]);

/** The app writes `.20` for `%20`. */
function decoded(text: string, flag: string): string {
  try {
    return decodeURIComponent(text.replaceAll(".", "%"));
  } catch {
    throw new Usage(`${flag}: the link has an invalid part "${text}"`);
  }
}

/** Returns the ids of `2-general` or `8,9-group`. Older links have names. */
const operandOf = (operator: string, text: string): string =>
  (withIds.has(operator) ? /^(\d+(?:,\d+)*)(?:-|$)/.exec(text)?.[1] : undefined) ?? text;

/** Returns the parts of a link. Undefined for other texts. */
export function readNarrowLink(text: string, flag: string): NarrowLink | undefined {
  if (otherViews.test(text.trim())) throw new Usage(`${flag}: the link has no search`);
  const { channel, topic } = mention.exec(text.trim())?.groups ?? {};
  if (channel !== undefined)
    throw new Usage(
      `${flag}: write a mention as a search: channel:"${channel}"${topic === undefined ? "" : ` topic:"${topic}"`}`,
    );
  const { site, path = "" } = form.exec(text.trim())?.groups ?? {};
  if (site === undefined && /#narrow\//.test(text.replace(/"[^"]*"/g, "")))
    throw new Usage(`${flag}: a link must stand alone: put it in double quotes to search for its text`);
  if (site === undefined) return undefined;
  const address = site && (/^https?:\/\//i.test(site) ? site : `https://${site}`);
  if (address && !URL.canParse(address)) throw new Usage(`${flag}: the link has an invalid address "${site}"`);
  const parts = path.replace(/\?.*$/, "").split("/");
  const terms: LinkTerm[] = [];
  for (let at = 0; at < parts.length && parts[at]; at += 2) {
    const [written = "", operand = ""] = [parts[at], parts[at + 1]];
    const name = written.replace(/^-/, "").toLowerCase();
    const operator = newNames[name] ?? name;
    terms.push({ operator, operand: operandOf(operator, decoded(operand, flag)), negated: written.startsWith("-") });
  }
  if (!terms.length) throw new Usage(`${flag}: the link has no search`);
  const searched = terms.filter(({ operator }) => !places.has(operator));
  return { site: address ? new URL(address) : undefined, terms: searched.length ? searched : terms };
}
