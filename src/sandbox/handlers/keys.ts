import { fetchKey } from "../../api/keys.ts";
import { isAddress } from "../addresses.ts";
import { ApiError, refused } from "../api-error.ts";
import { open } from "../router.ts";

const unauthorized = (code: string, msg: string) => new ApiError(401, code, msg);

const wrong = () => unauthorized("AUTHENTICATION_FAILED", "Your username or password is incorrect");

export const keyRoutes = [
  open(fetchKey, {}, ({ state, level, attempt }, { username, password }) => {
    if (!isAddress(username)) throw refused("Enter a valid email address.");
    const succeeded = attempt(username);
    const { organization, users } = state;
    if (!organization.password_login) {
      throw unauthorized("PASSWORD_AUTH_DISABLED", "Password authentication is disabled in this organization");
    }
    // An empty password fails before the account is looked up, so not even a deactivated one is told apart.
    if (password === "") throw wrong();
    const typed = username.toLowerCase();
    const user = [...users.values()].find(
      ({ delivery_email, bot_type }) => delivery_email.toLowerCase() === typed && bot_type === null,
    );
    if (user && organization.is_deactivated) {
      throw unauthorized("REALM_DEACTIVATED", "This organization has been deactivated");
    }
    if (user && !user.is_active) throw unauthorized("USER_DEACTIVATED", "Account is deactivated");
    if (user?.password == null || user.password !== password) {
      throw wrong();
    }
    if (user.must_reset_password) {
      throw unauthorized("PASSWORD_RESET_REQUIRED", "Your password has been disabled and needs to be reset");
    }
    succeeded();
    const { api_key, delivery_email: email, user_id } = user;
    return level < 171 ? { api_key, email } : { api_key, email, user_id };
  }),
];
