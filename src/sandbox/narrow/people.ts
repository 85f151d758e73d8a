/** The accounts that a term of a narrow names. */
import { strip } from "../../folding.ts";
import { ApiError } from "../answers.ts";
import { type State, shownEmail, type User } from "../state.ts";
import type { Operand } from "./terms.ts";

export interface Asking {
  state: State;
  caller: User;
  level: number;
}

export const badNarrow = (desc: string): ApiError =>
  new ApiError(400, "BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });

/** As the server's language prints it. */
export const shown = (operand: Operand): string => {
  if (Array.isArray(operand)) return `[${operand.map(shown).join(", ")}]`;
  return typeof operand === "boolean" ? (operand ? "True" : "False") : String(operand);
};

/** Accounts of the server itself, which every organization knows, and which have written nothing here. */
const systemBots = ["notification-bot@zulip.com", "welcome-bot@zulip.com", "emailgateway@zulip.com"];

/** The id of an account; undefined where there is none. */
export function userId({ state }: Asking, operand: Operand): number | undefined {
  if (typeof operand !== "string") {
    const id = Number(operand);
    return state.users.has(id) || (id >= 1 && id <= systemBots.length) ? id : undefined;
  }
  const email = strip(operand).toLowerCase();
  const bot = systemBots.indexOf(email);
  const user = [...state.users.values()].find((each) => shownEmail(state, each).toLowerCase() === email);
  return user ? user.user_id : bot < 0 ? undefined : bot + 1;
}

/** Throws where there is no such account. */
export function person(asking: Asking, operand: Operand): number {
  const id = userId(asking, operand);
  if (id === undefined) throw badNarrow(`unknown user ${shown(operand)}`);
  return id;
}
