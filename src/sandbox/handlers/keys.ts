import { fetchKey } from "../../api/keys.ts";
import { Fault, refused } from "../fault.ts";
import { open } from "../router.ts";

const unauthorized = (code: string, msg: string) => new Fault(401, code, msg);

const wrong = () => unauthorized("AUTHENTICATION_FAILED", "Your username or password is incorrect");

/** What the server takes for an address; good enough for telling one from a user name. */
const address = /^[^\s@"(),:;<>[\]\\]+@[^\s@.]+(?:\.[^\s@.]+)*\.[^\s@.]+$/;

export const keyRoutes = [
  open(fetchKey, {}, ({ state, level, attempt }, { username, password }) => {
    if (!address.test(username)) throw refused("Enter a valid email address.");
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
    succeeded();
    const { api_key, delivery_email: email, user_id } = user;
    return level < 171 ? { api_key, email } : { api_key, email, user_id };
  }),
];
