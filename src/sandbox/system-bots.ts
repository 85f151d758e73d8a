/** Accounts of the server itself, which belong to no organization. */
import { strip } from "../common/folding.ts";
import { type SandboxState, userByAddress, visibleEmail } from "./state.ts";

export const emailGateway = 1;
export const notificationBot = 6;

export const systemBots = [
  { user_id: emailGateway, email: "emailgateway@zulip.com", full_name: "Email Gateway" },
  { user_id: notificationBot, email: "notification-bot@zulip.com", full_name: "Notification Bot" },
  { user_id: 7, email: "welcome-bot@zulip.com", full_name: "Welcome Bot" },
] as const;

export const systemBot = (id: number) => systemBots.find(({ user_id }) => user_id === id);

/** The id of an account of the organization or of the server, by its address or id. Undefined where there is none. */
export function accountId(state: SandboxState, named: unknown): number | undefined {
  if (typeof named === "string") {
    const address = strip(named).toLowerCase();
    return (userByAddress(state, address) ?? systemBots.find(({ email }) => email === address))?.user_id;
  }
  const id = Number(named);
  return state.users.has(id) || systemBot(id) ? id : undefined;
}

export const systemBotPicture = (site: string, email: string): string =>
  `${site}/static/images/static_avatars/${email.split("@")[0]}.png`;

/** The public details of an account, also of the server's own accounts. */
export function publicDetails(
  state: SandboxState,
  id: number,
): { user_id: number; email: string; full_name: string } | undefined {
  const user = state.users.get(id);
  return user ? { user_id: id, email: visibleEmail(state, user), full_name: user.full_name } : systemBot(id);
}
