/** An account as reads, `register` and events show it. */
import { createHash } from "node:crypto";
import { seesPerson } from "../access.ts";
import { render } from "../narrow/markdown.ts";
import type { Call } from "../router.ts";
import { isAdministrator, isBot, isGuest, isOwner, type State, shownEmail, type User } from "../state.ts";
import { since } from "./since.ts";

/** The widest role that sees the real address, by the person's visibility setting; under 4 it is nobody. */
const widestRole: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

/** Whether the caller may see the real address; visibility 4 hides it from everybody. */
export const seesAddress = (caller: User, { email_address_visibility }: User): boolean =>
  caller.role <= widestRole[email_address_visibility]!;

const twoDigits = (n: number) => String(n).padStart(2, "0");
/** ISO 8601 with minutes only. */
export function minutes(ms: number): string {
  const at = new Date(ms);
  const date = [at.getUTCFullYear(), twoDigits(at.getUTCMonth() + 1), twoDigits(at.getUTCDate())].join("-");
  return `${date}T${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}+00:00`;
}

export function avatarOf(user: User, clientGravatar: boolean, size = ""): string | null {
  if (user.avatar_source === "upload") return `/user_avatars/2/${user.user_id}.png?version=${user.avatar_version}`;
  if (clientGravatar && user.email_address_visibility === 1) return null;
  const hash = createHash("md5").update(user.delivery_email.toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon${size}&version=${user.avatar_version}`;
}

/** Only texts are Markdown, short and long ones. */
export const renderedValue = (state: State, type: number, value: string): object =>
  type === 1 || type === 2 ? { rendered_value: render(state, value) } : {};

const profileOf = (state: State, { profile }: User): object =>
  Object.fromEntries(
    state.profile_fields.flatMap(({ id, type }) => {
      const value = profile.get(id);
      return value === undefined ? [] : [[String(id), { value, ...renderedValue(state, type, value) }]];
    }),
  );

export interface Wanted {
  clientGravatar: boolean;
  profile: boolean;
}

export function userRecord({ state, level, caller }: Call, user: User, wanted: Wanted): object {
  const { bot_type, bot_owner_id } = user;
  const owner = state.users.get(bot_owner_id ?? 0);
  const bot = { bot_type, ...(level < 1 ? { bot_owner: owner?.delivery_email ?? null } : { bot_owner_id }) };
  const address = caller.user_id === user.user_id || seesAddress(caller, user) ? user.delivery_email : null;
  return {
    user_id: user.user_id,
    // Before this level what is hidden was left out.
    ...(address === null && level < 163 ? {} : { delivery_email: address }),
    email: shownEmail(state, user),
    full_name: user.full_name,
    is_active: user.is_active,
    is_admin: isAdministrator(user),
    ...since(level, 8, { is_owner: isOwner(user) }),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    ...since(level, 59, { role: user.role }),
    ...(level >= 73 && level <= 362 ? { is_billing_admin: false } : {}),
    ...since(level, 433, { is_imported_stub: false }),
    date_joined: minutes(user.date_joined),
    timezone: user.timezone,
    avatar_url: avatarOf(user, wanted.clientGravatar),
    ...since(level, 6, { avatar_version: user.avatar_version }),
    ...(isBot(user) ? bot : {}),
    ...(wanted.profile && !isBot(user) ? { profile_data: profileOf(state, user) } : {}),
  };
}

/** What is shown in place of somebody whom the caller may not see. */
export function strangerRecord({ state, level, site }: Call, { user_id }: User): object {
  return {
    email: `user${user_id}@${state.organization.host}`,
    user_id,
    avatar_version: 1,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    ...(level <= 362 ? { is_billing_admin: false } : {}),
    role: 400,
    is_bot: false,
    full_name: "Unknown user",
    timezone: "",
    is_active: true,
    date_joined: minutes(state.organization.date_created),
    delivery_email: null,
    avatar_url: `${site}/static/images/unknown-user-avatar.png`,
  };
}

/** Some levels show a stranger in place of people whom a guest may not see; before them there was no such limit. */
export function shownTo(call: Call, user: User, looking: Wanted): object[] {
  if (seesPerson(call.state, call.caller, user)) return [userRecord(call, user, looking)];
  return call.level <= 436 ? [strangerRecord(call, user)] : [];
}
