import { type CommandParameter, type ReadContext, requiredFlag, withDefault } from "../../cli/parameter.ts";
import { channelParameter, orNone, recipients } from "../../cli/thing-parameters.ts";
import { id, ids, journalFlag, markdown, moment, number, path, text, toggle } from "../../cli/value-parameters.ts";

export const narrowFlags = {
  narrow: text("as in the search box: channel:general topic:x -is:resolved has:link words", "expression"),
  narrowJson: text("search terms as JSON, as in the API", "json"),
};

/** The filter of a command that changes what it finds: it must select something. */
const selecting = (word: CommandParameter<string, string>): CommandParameter<string, string> => ({
  ...word,
  read: async (typed: string, { flag }: ReadContext) => {
    (await import("./search.ts")).checkSelects(flag, typed);
    return typed;
  },
});

const selectingFlags = {
  narrow: selecting(narrowFlags.narrow),
  narrowJson: selecting(narrowFlags.narrowJson),
};

const timeFlags = {
  since: moment("sent at this time or later: 7d, today, or 2026-01-31 12:00; see help times"),
  until: moment("sent before this time"),
};

export const findFlags = {
  ...narrowFlags,
  ...timeFlags,
  limit: withDefault("100, or all with --since", number("at most this many", "n", 1)),
  all: toggle("all of them, as they arrive"),
  before: id("free", "older than this message"),
  after: id("free", "newer than this message"),
};

export const sendFlags = {
  channel: channelParameter("for this channel; with --topic"),
  topic: text("the topic in the channel"),
  to: recipients("for a direct conversation with these people"),
  content: requiredFlag(markdown()),
};

export const bulkFlags = {
  ids: ids("free", "ids of messages; - reads them from stdin", "id,..."),
  ...selectingFlags,
  ...timeFlags,
  all: toggle("all messages that the account received"),
  limit: number("at most this many, the newest ones", "n", 1),
  keep: orNone(path("copy the messages to this new file first, a JSON object a line"), "keep no copy"),
  journal: journalFlag,
  resume: text("resume an earlier run: its name, its journal, or last", "run"),
  again: toggle("resume a run that an undo has taken back: send its rows again"),
};

export const moveFlags = {
  ...bulkFlags,
  toTopic: text("the new topic"),
  toChannel: channelParameter("the new channel"),
  notify: toggle("post a notice in the new place, one for each topic"),
};
