import { type RawFlags, withDefault } from "../../cli/parameter.ts";
import { duration, filter, offered, oneOrMore, texts, toggle } from "../../cli/value-parameters.ts";
import { loggedKinds } from "../../model/change-words.ts";
import { watchedKinds } from "../../model/kinds/index.ts";

export const shownKinds = [...new Set<string>([...loggedKinds, ...watchedKinds]), "message"];

export const watchFlags = {
  only: oneOrMore(shownKinds, "only changes of these kinds", "kind"),
  target: filter("only changes of this thing: name, e-mail address or id", "name"),
  for: withDefault("until Ctrl-C", duration("stop after this long: 10m, 12h")),
  plan: offered("file", texts("print differences from these organization files instead", "file|folder")),
  exitCode: toggle("with --plan: exit with 8 at the first difference"),
  messages: toggle("also print messages that the account receives"),
  withCredentials: toggle("give the program the site, e-mail address and API key in its environment"),
};
export type WatchOptions = RawFlags<typeof watchFlags>;
