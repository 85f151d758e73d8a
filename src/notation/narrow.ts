/** Narrows: filters of messages, as typed into a search box or as links of the app. */
import type { NarrowTerm } from "../api/messages.ts";
import { isBlank, nfc } from "../common/folding.ts";
import { didYouMean } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import { readId } from "./id.ts";
import { type NarrowLink, readNarrowLink } from "./narrow-link.ts";
import { tokens } from "./narrow-tokens.ts";
import { readReference } from "./references.ts";

export interface Operator {
  /** `person` and `people`: addresses or ids. `word`: one of `words`. */
  operand: "channel" | "person" | "people" | "address" | "message" | "text" | "search" | "word";
  words?: readonly string[];
  /** The first feature levels of words that are later than Zulip 10. */
  wordsSince?: Readonly<Record<string, number>>;
  /** The first feature level that supports it, if that is later than Zulip 10. */
  since?: number;
  /** The server ignores a negation. */
  isNeverNegated?: true;
}

const channels = {
  operand: "word",
  words: ["public", "web-public", "archived"],
  wordsSince: { archived: 489 },
} as const;

export const operators: Readonly<Record<string, Operator>> = {
  channel: { operand: "channel" },
  stream: { operand: "channel" },
  channels,
  streams: channels,
  topic: { operand: "text" },
  sender: { operand: "person" },
  dm: { operand: "people" },
  "pm-with": { operand: "people" },
  pm_with: { operand: "address" },
  "dm-including": { operand: "person" },
  "group-pm-with": { operand: "person" },
  group_pm_with: { operand: "address" },
  is: {
    operand: "word",
    words: ["dm", "private", "starred", "unread", "mentioned", "alerted", "resolved", "followed", "muted"],
  },
  has: { operand: "word", words: ["attachment", "image", "link", "reaction"] },
  in: { operand: "word", words: ["home", "all"] },
  id: { operand: "message" },
  near: { operand: "text", isNeverNegated: true },
  search: { operand: "search", isNeverNegated: true },
  mentions: { operand: "person", since: 446 },
};

/** A feature that servers of lower levels do not have. */
interface RequiredLevel {
  /** As typed: `mentions:`. */
  feature: string;
  level: number;
}

/** Typed digits of a channel, which may be the name of another one. */
interface ChannelDigits {
  id: number;
  place: string;
}

/** A channel written with `#`, which another one may have in its name. */
interface SignedChannel {
  text: string;
  place: string;
}

/** An operator with a blank after it, where the value of a variable may be missing: `--narrow, column 3`. */
interface SpacedOperator {
  operator: string;
  place: string;
}

export interface Narrow {
  needs: RequiredLevel[];
  digits: ChannelDigits[];
  signed: SignedChannel[];
  /** A term contains `me`, which servers do not know. */
  me: boolean;
  /** It has no terms, or only blank words. */
  isEmpty: boolean;
  /** A term excludes messages. */
  selects: boolean;
  /** Who is meant by `mentions:`, except `me`: an id or an address. */
  mentions: Operand[];
  /** The organization of a link. */
  site?: URL | undefined;
  spaced?: SpacedOperator;
  /** Returns the terms as they are sent, with the account's id for `me`. `channels`: what typed digits mean. */
  terms(me?: number, channels?: ReadonlyMap<number, number>): NarrowTerm[];
}

export const me = Symbol("me");
/** Of an operator that only newer servers have. */
export class NewerOperand {
  constructor(readonly value: unknown) {}
}

export type Operand = string | number | (number | typeof me)[] | typeof me | NewerOperand;

export interface TypedTerm {
  operator: string;
  operand: Operand;
  negated: boolean;
  digits?: ChannelDigits;
  signed?: SignedChannel;
}

/** `place`: where the term is, for messages: `--narrow, column 3`. */
export function operatorNamed(operator: string, place: string): Operator {
  const found = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (found) return found;
  if (operator === "with")
    throw new Usage(`${place}: with: works in the list of messages only: the server does not match by it`);
  throw new Usage(`${place}: unknown operator "${operator}"`, { hint: didYouMean(operator, Object.keys(operators)) });
}

function checkWord(operator: string, text: string, words: readonly string[], place: string): void {
  if (words.includes(text)) return;
  const hint = didYouMean(text, words);
  throw new Usage(`${place}: ${operator}: must be one of ${words.join(", ")}, not "${text}"`, { hint });
}

/** Reads a typed operand. Quoted digits are text: `channel:"2026"` is a name. */
function typedOperand(operator: string, text: string, isQuoted: boolean, place: string): Operand {
  const { operand, words = [] } = operators[operator]!;
  const id = isQuoted ? undefined : readId(/^(channel|person)$/.test(operand) ? text.replace(/^id:/, "") : text);
  const invalid = (expected: string) => new Usage(`${place}: ${operator}: must be ${expected}, not "${text}"`);
  switch (operand) {
    case "word":
      checkWord(operator, text, words, place);
      return text;
    case "channel": {
      const typed = isQuoted
        ? { name: text.replace(/^#(?=.)/, "") }
        : readReference(text, `${place}: ${operator}`, "#");
      return "id" in typed ? typed.id : nfc(typed.name);
    }
    case "message":
      // Servers of all levels accept text of digits.
      if (readId(text) === undefined) throw invalid("the number of a message");
      return text;
    case "person":
      if (text === "me") return me;
      if (id === undefined && !text.includes("@")) throw invalid("an id, an e-mail address or me");
      return id ?? text;
    case "address":
      if (!text.includes("@")) throw invalid("an e-mail address");
      return text;
    case "people":
      return people(
        text.split(",").map((item) => item.trim()),
        () => invalid("ids or e-mail addresses with commas between"),
      );
    default:
      return operator === "topic" ? nfc(text) : text;
  }
}

function people(items: readonly string[], invalid: () => Usage): Operand {
  const addresses = items.filter((item) => item.includes("@"));
  // The account itself is in all its conversations, so `me` adds nothing to others.
  if (addresses.length && items.every((item) => item === "me" || item.includes("@"))) return addresses.join(",");
  return items.map((item) => {
    const id = item === "me" ? me : readId(item);
    if (id === undefined) throw invalid();
    return id;
  });
}

export const isKnown = (operator: string): boolean => Object.hasOwn(operators, operator);

const isBlankSearch = ({ operator, operand }: TypedTerm): boolean =>
  isKnown(operator) && operators[operator]?.operand === "search" && isBlank(String(operand).replaceAll('"', ""));

/** Every message matches. */
const matchesAll = (term: TypedTerm): boolean =>
  isBlankSearch(term) || term.operator === "near" || (term.operator === "in" && term.operand === "all");

export function narrow(terms: readonly TypedTerm[]): Narrow {
  const hasMe = (operand: Operand): boolean => operand === me || (Array.isArray(operand) && operand.includes(me));
  return {
    needs: terms.flatMap(({ operator, operand }) => {
      const { since, wordsSince = {} }: Partial<Operator> = isKnown(operator) ? operators[operator]! : {};
      const [feature, level] =
        typeof operand === "string" && Object.hasOwn(wordsSince, operand)
          ? [`${operator}:${operand}`, wordsSince[operand]]
          : [`${operator}:`, since];
      return level ? [{ feature, level }] : [];
    }),
    digits: terms.flatMap(({ digits }) => digits ?? []),
    mentions: terms.flatMap(({ operator, operand }) => (operator === "mentions" && operand !== me ? [operand] : [])),
    signed: terms.flatMap(({ signed }) => signed ?? []),
    me: terms.some(({ operand }) => hasMe(operand)),
    isEmpty: terms.every(isBlankSearch),
    selects: !terms.every(matchesAll),
    terms: (id, channels) =>
      terms.map(({ operator, operand, negated, digits }) => {
        if (hasMe(operand) && id === undefined) throw new TypeError("the account's own id is not known");
        if (operand instanceof NewerOperand) return { operator, operand: operand.value, ...(negated && { negated }) };
        const sentOperand =
          operand === me ? id : Array.isArray(operand) ? operand.map((one) => (one === me ? id : one)) : operand;
        const meant = digits && channels?.get(digits.id);
        return { operator, operand: meant ?? sentOperand, ...(negated && { negated }) };
      }),
  };
}

/** Reads a link of the app. Its words are decoded, so they are not read as an expression. */
function readLink({ site, terms }: NarrowLink, flag: string): Narrow {
  const all = terms.map(({ operator, operand: text, negated }): TypedTerm => {
    const place = `${flag}: ${operator}`;
    const rule = operatorNamed(operator, flag);
    if (negated && rule.isNeverNegated) throw new Usage(`${place}: the server cannot negate it`);
    if (!text && operator !== "topic") throw new Usage(`${place}: the value is missing`);
    const isName = rule.operand === "channel" && readId(text) === undefined;
    return { operator, operand: typedOperand(operator, text, isName, flag), negated };
  });
  return { ...narrow(all), site };
}

export const missingTermValue = ({ operator, place }: SpacedOperator, hint?: string): Usage =>
  new Usage(`${place}: missing value after ${operator}:`, { hint });

/**
 * Reads `channel:general topic:"release plan" -is:resolved hello`, or a link of the app. Throws `Usage` with the column.
 */
export function readNarrow(expression: string): Narrow {
  const flag = "--narrow";
  const link = readNarrowLink(expression, flag);
  if (link) return readLink(link, flag);
  const terms: TypedTerm[] = [];
  const words: string[] = [];
  let spaced: SpacedOperator | undefined;
  for (const { negated, operator = "search", text, isQuoted, isSpaced, place } of tokens(expression, flag)) {
    const rule = operatorNamed(operator, place);
    if (!text && !isQuoted) throw missingTermValue({ operator, place });
    if (isSpaced) spaced ??= { operator, place };
    if (negated && (rule.isNeverNegated || (operator === "in" && text === "all"))) {
      const what = rule.operand === "search" ? "words that are searched for" : `${operator}:${text}`;
      throw new Usage(`${place}: the server cannot negate ${what}`);
    }
    if (rule.operand !== "search") {
      const operand = typedOperand(operator, text, isQuoted, place);
      const mayBeName = rule.operand === "channel" && typeof operand === "number" && !text.startsWith("id:");
      const isSigned = rule.operand === "channel" && text.startsWith("#");
      const digits = mayBeName && { digits: { id: operand, place } };
      terms.push({ operator, operand, negated, ...digits, ...(isSigned && { signed: { text, place } }) });
    } else words.push(isQuoted && !text.startsWith('"') ? `"${text}"` : text);
  }
  // Curly quotation marks count as straight ones, as in the web app.
  const operand = words.join(" ").replace(/[“”]/g, '"');
  if (words.length) terms.push({ operator: "search", operand, negated: false });
  return { ...narrow(terms), ...(spaced && { spaced }) };
}
