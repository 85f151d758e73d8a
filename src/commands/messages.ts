import { getMessages, type Message, matchNarrow, type NarrowTerm } from "../api/messages.ts";
import { addressOf } from "../api/users.ts";
import { choiceOf } from "../argv/flags.ts";
import { readsWith } from "../cli/conversation.ts";
import { ids, number, text } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { needed, type Values } from "../cli/word.ts";
import { Usage } from "../errors.ts";
import { type Narrow, readNarrow, readNarrowJson } from "../notation/narrow.ts";
import { operators } from "../notation/narrow-terms.ts";
import type { Column, Listing } from "../output/form.ts";
import { marked } from "../output/highlight.ts";
import { checkChoice } from "../output/present.ts";
import { when } from "../output/when.ts";
import { parts } from "../resolve/parts.ts";
import type { Context } from "../run/context.ts";
import type { AnyOperation } from "../wire/operation.ts";

const narrowing = {
  narrow: text("as in the search box: channel:general topic:x -is:resolved has:link words", "expression"),
  narrowJson: text("the terms as the API has them", "json"),
};

const finding = {
  ...narrowing,
  limit: number("at most this many (default: 100)", "n", 1),
  before: number("older than this message", "id", 1),
  after: number("newer than this message", "id"),
};

type Narrowing = Values<Record<never, never>, typeof narrowing>;

interface Asked {
  narrow: Narrow;
  flag: string;
}

/** Undefined where no flag gives one. Throws `Usage` for an invalid filter. */
function narrowOf({ narrow, narrowJson }: Narrowing): Asked | undefined {
  if (narrow !== undefined && narrowJson !== undefined)
    throw new Usage("--narrow cannot be combined with --narrow-json");
  if (narrow !== undefined) return { narrow: readNarrow(narrow), flag: "--narrow" };
  if (narrowJson !== undefined) return { narrow: readNarrowJson(narrowJson), flag: "--narrow-json" };
  return undefined;
}

const hasAddress = ({ operator, operand }: NarrowTerm): boolean =>
  typeof operand === "string" &&
  operand.includes("@") &&
  /^(person|people|address)$/.test(operators[operator]?.operand ?? "");

/** Servers find people by the address that they show, which is `user12@…` where the real one is hidden. */
async function withShownAddresses(find: Context["find"], terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  if (!terms.some(hasAddress)) return terms;
  const shown = new Map((await find.everybody()).map((user) => [addressOf(user)?.toLowerCase(), user.email]));
  const each = (address: string) => shown.get(address.trim().toLowerCase()) ?? address;
  return terms.map((term) =>
    hasAddress(term) ? { ...term, operand: String(term.operand).split(",").map(each).join(",") } : term,
  );
}

/** As it is sent. Refuses what the server does not know, before anything is looked up. */
async function termsFor(
  { server, find }: Context,
  operation: AnyOperation,
  { narrow, flag }: Asked,
): Promise<NarrowTerm[]> {
  if (narrow.needs.length)
    await (await server()).featureLevel.require(operation, (level) =>
      narrow.needs
        .filter((need) => level < need.level)
        .map(({ what, level: needs }) => ({ flag: `${flag}: ${what}`, needs })),
    );
  return withShownAddresses(find, narrow.terms(narrow.me ? await find.user("me", flag) : undefined));
}

/** What the server gives at once. */
const most = 5000;

const channelOf = ({ display_recipient: to }: Message): string => {
  if (typeof to === "string") return to;
  const people = Array.isArray(to) ? to.map((one) => (one as { full_name?: unknown } | null)?.full_name) : [];
  return `(direct: ${people.filter((name) => typeof name === "string").join(", ")})`;
};

const firstLine = ({ content }: Message): string => content.trimStart().split(/\r?\n/, 1).join();

const messageColumns: Column<Message>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "TIME", value: ({ timestamp }) => when(timestamp), whole: true },
  { head: "SENDER", value: ({ sender_full_name, sender_id }) => sender_full_name ?? sender_id },
  { head: "CHANNEL", value: channelOf },
  { head: "TOPIC", value: ({ subject }) => subject },
  { head: "FIRST LINE", value: firstLine, cut: true, importance: "high" },
];

/** The newest first, in as many parts as it takes. */
async function find(
  context: Context,
  options: Values<Record<never, never>, typeof finding>,
): Promise<Listing<Message>> {
  const { limit = 100, before, after = 0 } = options;
  await checkChoice(choiceOf(context.flags));
  const asked = narrowOf(options);
  if (before !== undefined && before <= after + 1) throw new Usage("no message is between --after and --before");
  const narrow = asked && (await termsFor(context, getMessages, asked));
  const found: Message[] = [];
  let anchor = before === undefined ? "newest" : String(before - 1);
  while (found.length < limit) {
    const num_before = Math.min(limit - found.length, most);
    const args = { anchor, num_before, num_after: 0, narrow, apply_markdown: false };
    const { messages, found_oldest } = await context.ask(getMessages, args, asked && { narrow: asked.flag });
    const newest = messages.filter(({ id }) => id > after && (before === undefined || id < before)).toReversed();
    // Besides so many before it, the anchor itself may come.
    found.push(...newest.slice(0, limit - found.length));
    const oldest = messages[0]?.id;
    if (oldest === undefined || oldest <= after + 1 || found_oldest || messages.length < num_before) break;
    anchor = String(oldest - 1);
  }
  return { kind: "listing", records: found, id: ({ id }) => id, columns: messageColumns };
}

interface Verdict {
  id: number;
  match: boolean;
  match_content?: string;
  match_subject?: string;
}

const fields = ["id", "match", "match_content", "match_subject"];

const columns: Column<Verdict>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  {
    head: "MATCH",
    value: (verdict) => (verdict.match ? "yes" : "no"),
    style: (verdict) => (verdict.match ? "good" : "dim"),
  },
  { head: "TOPIC", value: ({ match_subject }) => match_subject && marked(match_subject) },
  {
    head: "CONTENT",
    value: ({ match_content }) => match_content && marked(match_content),
    cut: true,
    importance: "high",
  },
];

async function match(context: Context, options: Narrowing & { ids: number[] }): Promise<Listing<Verdict>> {
  const { askAll, flags } = context;
  await checkChoice(choiceOf(flags), [...fields, ...columns.map(({ head }) => head)]);
  const asking = narrowOf(options);
  if (!asking) throw new Usage("messages match requires --narrow or --narrow-json");
  const { ids } = options;
  const server = await context.server();
  const { flag } = asking;
  const narrow = await termsFor(context, matchNarrow, asking);
  const asked = parts(server.site, matchNarrow, { name: "msg_ids", ids, flag }, { narrow });
  const found = new Map<string, { match_content: string; match_subject: string }>();
  for (const { messages } of await askAll(matchNarrow, asked, { msg_ids: "--ids", narrow: flag }))
    for (const [id, matched] of Object.entries(messages)) found.set(id, matched);
  const verdicts = ids.map((id): Verdict => {
    const matched = found.get(String(id));
    return matched ? { id, match: true, ...matched } : { id, match: false };
  });
  const silent = flags.quiet || verdicts.every((verdict) => verdict.match);
  return {
    kind: "listing",
    records: verdicts,
    id: ({ id, match }) => (match ? id : undefined),
    columns,
    known: fields,
    note: silent ? undefined : '"no": it does not match, or this account cannot see it.',
  };
}

export const messages = noun("Messages", {
  match: readsWith({
    doc: "Check which messages match a search or filter expression",
    flags: {
      ids: needed(ids("free", "ids of messages; - reads them from stdin", "id,...")),
      ...narrowing,
    },
    examples: ["zulipctl messages match --ids 1,2,3 --narrow 'channel:design has:link'"],
    run: async () => match,
  }),

  find: readsWith({
    doc: "Find messages by a search or filter expression, newest first",
    flags: finding,
    examples: [
      "zulipctl messages find --narrow 'channel:design' --limit 10",
      "zulipctl messages find --narrow 'channel:design' -o ids | zulipctl messages match --ids - --narrow has:link",
    ],
    run: async () => find,
  }),
});
