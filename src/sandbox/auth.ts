/** Who is calling: HTTP Basic credentials, judged in the server's order and words. */
import { ApiError } from "./api-error.ts";
import type { State, User } from "./state.ts";

const unauthorized = (msg: string): ApiError =>
  new ApiError(401, "UNAUTHORIZED", msg, {}, { "www-authenticate": 'Basic realm="zulip"' });

const badHeader = () => unauthorized("Invalid authorization header for basic auth");

/** Strict where Node is lenient: padding must be there, and the text must be UTF-8. */
function decodeBase64(text: string): string {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw badHeader();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    throw badHeader();
  }
}

function admitted({ organization }: State, user: User): User {
  if (organization.is_deactivated) throw unauthorized("This organization has been deactivated");
  if (!user.is_active) throw unauthorized("Account is deactivated");
  if (user.bot_type === 2) throw unauthorized("This API is not available to incoming webhook bots.");
  return user;
}

/** Throws the `ApiError` with which the server turns the caller away. */
export function authenticate(state: State, header: string | undefined): User {
  if (header === undefined) throw unauthorized("Not logged in: API authentication or user session required");
  const [scheme, credentials, ...rest] = header.split(/\s+/).filter(Boolean);
  if (scheme === undefined || credentials === undefined || rest.length > 0) throw badHeader();
  if (scheme.toLowerCase() !== "basic") {
    throw new ApiError(400, "BAD_REQUEST", "This endpoint requires HTTP basic authentication.");
  }
  const parts = decodeBase64(credentials).split(":");
  if (parts.length !== 2) throw badHeader();
  const [address, key] = parts.map((part) => part.trim()) as [string, string];
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized("Malformed API key");
  const user = [...state.users.values()].find(({ api_key }) => api_key === key);
  if (!user || user.delivery_email.toLowerCase() !== address.toLowerCase()) throw unauthorized("Invalid API key");
  return admitted(state, user);
}

/** As `authenticate` does, by the key alone, which such an address carries. */
export function authenticateKey(state: State, key: string): User {
  const invalid = (msg: string) => new ApiError(401, "INVALID_API_KEY", msg);
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw invalid("Malformed API key");
  const user = [...state.users.values()].find(({ api_key }) => api_key === key);
  if (!user) throw invalid("Invalid API key");
  return admitted(state, user);
}
