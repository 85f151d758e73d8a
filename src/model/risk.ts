/** What is destructive about a change of a setting. */
import { counted, joinFirst } from "../common/counted.ts";
import { methodStates, type Risk } from "./setting.ts";

/** Returns for how many days messages are kept. Without a limit it is infinite. */
export const daysOf = (retention: unknown): number =>
  typeof retention === "number" && retention >= 0 ? retention : Number.POSITIVE_INFINITY;

/** What older servers cannot bring back, once it is archived or deactivated. `restore`: `unarchive`, `reactivate`. */
export const cannotRestore = (restore: string, since: number): string =>
  `servers cannot ${restore} it before feature level ${since}`;

export const ifSwitchedOff =
  (says: string): Risk =>
  (from, to) =>
    to === false && from !== false ? { says, kind: "opened_to_all" } : undefined;

export const showsChannels: Risk = (from, to, { webPublic }) => {
  if (to !== true || from === true) return undefined;
  const says = webPublic?.length
    ? `shows ${counted(webPublic.length, "channel")} to the web, without an account: ${joinFirst(webPublic)}`
    : "lets channels be shown to the web, without an account";
  return { says, kind: "messages_opened" };
};

export const deletesMessages: Risk = (from, to, { inheriting }) => {
  if (daysOf(to) >= daysOf(from)) return undefined;
  const channels = inheriting === undefined ? "channels" : counted(inheriting, "channel");
  const says = `deletes messages older than ${counted(daysOf(to), "day")}, in direct messages and in ${channels} without a retention of their own`;
  return { says, irreversible: true, kind: "messages_deleted" };
};

export const switchesOffMethods: Risk = (from, to) => {
  const after = methodStates(to);
  const switchedOff = Object.entries(methodStates(from)).flatMap(([name, isOn]) =>
    isOn && after[name] === false ? [name] : [],
  );
  return switchedOff.length
    ? { says: `switches off signing in with ${switchedOff.join(", ")}`, kind: "access_lost" }
    : undefined;
};
