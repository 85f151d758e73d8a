/**
 * Authenticates callers with HTTP Basic credentials, in the server's order and words, and exchanges passwords for keys.
 */

import { fetchKey } from "../api/server.ts";
import { botKinds } from "../model/bot.ts";
import { ApiError, badRequest } from "./answers.ts";
import { onAnonymous } from "./router.ts";
import type { SandboxState, StoredUser } from "./state.ts";
import { isServerAddress } from "./text.ts";

const unauthorized = (msg: string): ApiError =>
  new ApiError(401, "UNAUTHORIZED", msg, {}, { "www-authenticate": 'Basic realm="zulip"' });

const invalidHeader = () => unauthorized("Invalid authorization header for basic auth");

/** Requires padding and valid UTF-8, which Node does not. */
function decodeBase64(text: string): string {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw invalidHeader();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    throw invalidHeader();
  }
}

function checkAccount({ organization }: SandboxState, user: StoredUser, webhooks: boolean): StoredUser {
  if (organization.is_deactivated) throw unauthorized("This organization has been deactivated");
  if (!user.is_active) throw unauthorized("Account is deactivated");
  if (user.bot_type === botKinds["incoming-webhook"] && !webhooks)
    throw unauthorized("This API is not available to incoming webhook bots.");
  return user;
}

/** Throws the `ApiError` with which the server turns the caller away. */
export function authenticate(state: SandboxState, header: string | undefined, webhooks = false): StoredUser {
  if (header === undefined) throw unauthorized("Not logged in: API authentication or user session required");
  const [scheme, credentials, ...rest] = header.split(/\s+/).filter(Boolean);
  if (scheme === undefined || credentials === undefined || rest.length > 0) throw invalidHeader();
  if (scheme.toLowerCase() !== "basic") {
    throw new ApiError(400, "BAD_REQUEST", "This endpoint requires HTTP basic authentication.");
  }
  const [address, key, ...others] = decodeBase64(credentials)
    .split(":")
    .map((part) => part.trim());
  if (address === undefined || key === undefined || others.length > 0) throw invalidHeader();
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized("Malformed API key");
  const user = [...state.users.values()].find(({ api_key }) => api_key === key);
  if (!user || user.delivery_email.toLowerCase() !== address.toLowerCase()) throw unauthorized("Invalid API key");
  return checkAccount(state, user, webhooks);
}

const loginError = (code: string, msg: string) => new ApiError(401, code, msg);

const wrongPassword = () => loginError("AUTHENTICATION_FAILED", "Your username or password is incorrect");

export const keyRoutes = [
  onAnonymous(fetchKey, {}, ({ state, countLogin }, { username, password }) => {
    if (!isServerAddress(username)) throw badRequest("Enter a valid email address.");
    const clearAttempts = countLogin(username);
    const { organization, users } = state;
    if (!organization.password_login) {
      throw loginError("PASSWORD_AUTH_DISABLED", "Password authentication is disabled in this organization");
    }
    // An empty password fails before the account is looked up, so it reveals no deactivated account.
    if (password === "") throw wrongPassword();
    const folded = username.toLowerCase();
    const user = [...users.values()].find(
      ({ delivery_email, bot_type }) => delivery_email.toLowerCase() === folded && bot_type === null,
    );
    if (user && organization.is_deactivated) {
      throw loginError("REALM_DEACTIVATED", "This organization has been deactivated");
    }
    if (user && !user.is_active) throw loginError("USER_DEACTIVATED", "Account is deactivated");
    if (user?.password == null || user.password !== password) {
      throw wrongPassword();
    }
    if (user.must_reset_password) {
      throw loginError("PASSWORD_RESET_REQUIRED", "Your password has been disabled and needs to be reset");
    }
    clearAttempts();
    const { api_key, delivery_email: email, user_id } = user;
    return { api_key, email, user_id };
  }),
];
