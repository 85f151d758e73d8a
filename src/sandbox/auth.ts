/**
 * Authenticates callers with HTTP Basic credentials, in the server's order and words, and exchanges passwords for keys.
 */
import { fetchKey } from "../api/server.ts";
import { ApiError, refused } from "./answers.ts";
import { open } from "./router.ts";
import type { State, User } from "./state.ts";
import { isAddress } from "./text.ts";

const unauthorized = (msg: string): ApiError =>
  new ApiError(401, "UNAUTHORIZED", msg, {}, { "www-authenticate": 'Basic realm="zulip"' });

const badHeader = () => unauthorized("Invalid authorization header for basic auth");

/** Requires padding and valid UTF-8, which Node does not. */
function decodeBase64(text: string): string {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw badHeader();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    throw badHeader();
  }
}

function checkAccount({ organization }: State, user: User, webhooks: boolean): User {
  if (organization.is_deactivated) throw unauthorized("This organization has been deactivated");
  if (!user.is_active) throw unauthorized("Account is deactivated");
  if (user.bot_type === 2 && !webhooks) throw unauthorized("This API is not available to incoming webhook bots.");
  return user;
}

/** Throws the `ApiError` with which the server turns the caller away. */
export function authenticate(state: State, header: string | undefined, webhooks = false): User {
  if (header === undefined) throw unauthorized("Not logged in: API authentication or user session required");
  const [scheme, credentials, ...rest] = header.split(/\s+/).filter(Boolean);
  if (scheme === undefined || credentials === undefined || rest.length > 0) throw badHeader();
  if (scheme.toLowerCase() !== "basic") {
    throw new ApiError(400, "BAD_REQUEST", "This endpoint requires HTTP basic authentication.");
  }
  const [address, key, ...others] = decodeBase64(credentials)
    .split(":")
    .map((part) => part.trim());
  if (address === undefined || key === undefined || others.length > 0) throw badHeader();
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized("Malformed API key");
  const user = [...state.users.values()].find(({ api_key }) => api_key === key);
  if (!user || user.delivery_email.toLowerCase() !== address.toLowerCase()) throw unauthorized("Invalid API key");
  return checkAccount(state, user, webhooks);
}

const denied = (code: string, msg: string) => new ApiError(401, code, msg);

const wrong = () => denied("AUTHENTICATION_FAILED", "Your username or password is incorrect");

export const keyRoutes = [
  open(fetchKey, {}, ({ state, attempt }, { username, password }) => {
    if (!isAddress(username)) throw refused("Enter a valid email address.");
    const succeeded = attempt(username);
    const { organization, users } = state;
    if (!organization.password_login) {
      throw denied("PASSWORD_AUTH_DISABLED", "Password authentication is disabled in this organization");
    }
    // An empty password fails before the account is looked up, so it reveals no deactivated account.
    if (password === "") throw wrong();
    const typed = username.toLowerCase();
    const user = [...users.values()].find(
      ({ delivery_email, bot_type }) => delivery_email.toLowerCase() === typed && bot_type === null,
    );
    if (user && organization.is_deactivated) {
      throw denied("REALM_DEACTIVATED", "This organization has been deactivated");
    }
    if (user && !user.is_active) throw denied("USER_DEACTIVATED", "Account is deactivated");
    if (user?.password == null || user.password !== password) {
      throw wrong();
    }
    if (user.must_reset_password) {
      throw denied("PASSWORD_RESET_REQUIRED", "Your password has been disabled and needs to be reset");
    }
    succeeded();
    const { api_key, delivery_email: email, user_id } = user;
    return { api_key, email, user_id };
  }),
];
