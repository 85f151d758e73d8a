/** The flags of `messages`, and which cannot be combined. */
import { channel, ids, moment, number, orNone, path, text, textOrFile, toggle, users } from "../../cli/kinds.ts";
import type { RawOptions } from "../../cli/verb.ts";
import { needed } from "../../cli/word.ts";
import { Usage } from "../../errors.ts";

export const narrowFlags = {
  narrow: text("as in the search box: channel:general topic:x -is:resolved has:link words", "expression"),
  narrowJson: text("the terms as the API has them", "json"),
};

const timeFlags = {
  since: moment("sent at this time or later: 7d, or 2026-01-31"),
  until: moment("sent before this time"),
};

export const findFlags = {
  ...narrowFlags,
  ...timeFlags,
  limit: number("at most this many (default: 100, or all with --since)", "n", 1),
  all: toggle("all of them, as they arrive"),
  before: number("older than this message", "id", 1),
  after: number("newer than this message", "id"),
};

export const sendFlags = {
  channel: channel("for this channel; with --topic"),
  topic: text("the topic in the channel"),
  to: users("for a direct conversation with these people"),
  content: needed(textOrFile("Markdown; @file reads a file, - reads stdin")),
};

export const bulkFlags = {
  ids: ids("free", "ids of messages; - reads them from stdin", "id,..."),
  ...narrowFlags,
  ...timeFlags,
  limit: number("at most this many, the newest", "n", 1),
  keep: orNone(path("copy the messages to this new file first, a JSON object a line"), "keep no copy"),
  journal: path("keep the journal in this file"),
  resume: text("go on with an earlier run: its name, its journal, or last", "run"),
};

export const moveFlags = {
  ...bulkFlags,
  toTopic: text("the topic that they go to"),
  toChannel: channel("the channel that they go to"),
  notify: toggle("post a notice in the new place, one for each topic"),
};

export function checkSent(typed: RawOptions): void {
  const { channel, topic, to } = typed;
  for (const name of ["channel", "topic"])
    if (typed[name] !== undefined && to !== undefined) throw new Usage(`--${name} cannot be combined with --to`);
  if (channel === undefined && to === undefined) throw new Usage("messages send requires --channel or --to");
  if (channel !== undefined && topic === undefined) throw new Usage("--channel requires --topic");
}

/** Throws `Usage` unless the flags choose messages in exactly one way. */
export function checkMeant({ ids, resume, ...typed }: RawOptions): void {
  const search = ["narrow", "narrowJson", "since", "until", "limit"].find((name) => typed[name] !== undefined);
  const given = search?.replace("J", "-j") ?? (Array.isArray(ids) && ids.length ? "ids" : undefined);
  if (resume !== undefined && given !== undefined)
    throw new Usage(`--resume cannot be combined with --${given}`, { hint: "The journal has the list of messages." });
  if (resume !== undefined && typeof typed.keep === "string")
    throw new Usage("--resume cannot be combined with --keep", { hint: "The first run wrote that file." });
  if (search !== undefined && Array.isArray(ids) && ids.length)
    throw new Usage(`--ids cannot be combined with --${given}`);
  // Without a filter, all messages of the account would match.
  if (resume === undefined && given !== "ids" && typed.narrow === undefined && typed.narrowJson === undefined)
    throw new Usage("missing required flag: --ids or --narrow");
}

export function checkMove(typed: RawOptions): void {
  checkMeant(typed);
  const { toTopic, toChannel, resume } = typed;
  const to = toTopic ?? toChannel;
  if (resume !== undefined && to !== undefined)
    throw new Usage("--resume cannot be combined with --to-topic or --to-channel", {
      hint: "The journal has the target.",
    });
  if (resume === undefined && to === undefined) throw new Usage("messages move requires --to-topic or --to-channel");
}
