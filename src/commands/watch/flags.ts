import { duration, filter, offered, oneOrMore, texts, toggle } from "../../cli/kinds.ts";
import { type RawFlags, withDefault } from "../../cli/word.ts";
import { kinds } from "../../model/change.ts";

export const watchedKinds = [...kinds, "profile_field", "invitation", "message"] as const;

export const flags = {
  only: oneOrMore(watchedKinds, "only changes of these kinds", "kind"),
  target: filter("only changes of this thing: name, e-mail address or id", "name"),
  for: withDefault("until Ctrl-C", duration("stop after this long: 10m, 12h")),
  plan: offered("file", texts("print differences from these organization files instead", "file|folder")),
  exitCode: toggle("with --plan: exit with 8 at the first difference"),
  messages: toggle("also print messages that the account receives"),
  withCredentials: toggle("give the program the site, e-mail address and API key in its environment"),
};
export type Options = RawFlags<typeof flags>;
