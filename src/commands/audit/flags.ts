import { actionNames } from "../../audit/actions.ts";
import { type Values, withDefault } from "../../cli/parameter.ts";
import {
  ago,
  choice,
  fileSize,
  filter,
  id,
  moment,
  number,
  offered,
  oneOrMore,
  path,
  text,
  toggle,
} from "../../cli/value-parameters.ts";
import { loggedKinds } from "../../model/change-words.ts";
import { roleNames, roles } from "../../model/person.ts";

const from = withDefault(
  "the newest fetched one",
  path("read this export, packed or unpacked; - for stdin", "file|folder"),
);

export const auditFlags = {
  log: {
    since: moment("from this moment on: 7d, 12h, or ISO 8601"),
    until: moment("before this moment"),
    after: id("free", "entries whose id is greater"),
    by: filter("changes by this account: any name or address it has had, or its id", "user"),
    target: filter("changes of this: any name it has had, or its id", "name"),
    kind: oneOrMore(loggedKinds, "changes of these kinds, separated by commas", "kind"),
    action: offered(actionNames, text("such as channel.archived", "action")),
    destructive: toggle("changes that cannot be undone, or that took something from people"),
    limit: number("at most this many"),
    reverse: toggle("the oldest first"),
    from,
  },
  people: {
    inactiveFor: ago("not active for this long: 180d, 12h"),
    role: choice(roleNames, "accounts with this role", "role", roles),
    bots: toggle("bots only"),
    humans: toggle("people only"),
    deactivated: toggle("deactivated accounts only"),
    from,
  },
  channels: {
    inactiveFor: ago("no message for this long: 365d"),
    archived: toggle("archived channels only"),
    from,
  },
  uploads: {
    largerThan: fileSize("larger than this: 10MB"),
    by: filter("of this account: name, address or id", "user"),
    olderThan: moment("older than this: 365d, or ISO 8601"),
    from,
  },
};
export type AuditFlags = {
  readonly [V in keyof typeof auditFlags]: Values<Record<never, never>, (typeof auditFlags)[V]>;
};
