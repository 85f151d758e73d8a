import { createHash } from "node:crypto";
import { getOwnUser, getUsers } from "../../api/users.ts";
import { render } from "../narrow/markdown.ts";
import { type Call, on } from "../router.ts";
import { isAdministrator, isBot, isGuest, isOwner, type State, shownEmail, type User } from "../state.ts";

/** The widest role that sees the real address, by the person's visibility setting; under 4 it is nobody. */
const widestRole: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

/** One's own address is never hidden. */
const seesAddress = (caller: User, { user_id, email_address_visibility }: User): boolean =>
  caller.user_id === user_id || caller.role <= widestRole[email_address_visibility]!;

const twoDigits = (n: number) => String(n).padStart(2, "0");
/** ISO 8601 with minutes only. */
function minutes(ms: number): string {
  const at = new Date(ms);
  const date = [at.getUTCFullYear(), twoDigits(at.getUTCMonth() + 1), twoDigits(at.getUTCDate())].join("-");
  return `${date}T${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}+00:00`;
}

function avatarOf(user: User, clientGravatar: boolean): string | null {
  if (user.avatar_source === "upload") return `/user_avatars/2/${user.user_id}.png?version=${user.avatar_version}`;
  if (clientGravatar && user.email_address_visibility === 1) return null;
  const hash = createHash("md5").update(user.delivery_email.toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${user.avatar_version}`;
}

/** Only texts are Markdown, short and long ones. */
const rendered = (state: State, type: number, value: string) =>
  type === 1 || type === 2 ? { rendered_value: render(state, value) } : {};

const profileOf = (state: State, { profile }: User): object =>
  Object.fromEntries(
    state.profile_fields.flatMap(({ id, type }) => {
      const value = profile.get(id);
      return value === undefined ? [] : [[String(id), { value, ...rendered(state, type, value) }]];
    }),
  );

interface Wanted {
  clientGravatar: boolean;
  profile: boolean;
}

function record({ state, level, caller }: Call, user: User, wanted: Wanted): object {
  const since = (first: number, fields: object) => (level < first ? {} : fields);
  const { bot_type, bot_owner_id } = user;
  const owner = state.users.get(bot_owner_id ?? 0);
  const bot = { bot_type, ...(level < 1 ? { bot_owner: owner?.delivery_email ?? null } : { bot_owner_id }) };
  const address = seesAddress(caller, user) ? user.delivery_email : null;
  return {
    user_id: user.user_id,
    // Before this level what is hidden was left out.
    ...(address === null && level < 163 ? {} : { delivery_email: address }),
    email: shownEmail(state, user),
    full_name: user.full_name,
    is_active: user.is_active,
    is_admin: isAdministrator(user),
    ...since(8, { is_owner: isOwner(user) }),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    ...since(59, { role: user.role }),
    ...(level >= 73 && level <= 362 ? { is_billing_admin: false } : {}),
    ...since(433, { is_imported_stub: false }),
    date_joined: minutes(user.date_joined),
    timezone: user.timezone,
    avatar_url: avatarOf(user, wanted.clientGravatar),
    ...since(6, { avatar_version: user.avatar_version }),
    ...(isBot(user) ? bot : {}),
    ...(wanted.profile && !isBot(user) ? { profile_data: profileOf(state, user) } : {}),
  };
}

export const userRoutes = [
  on(
    getUsers,
    { order: ["include_custom_profile_fields"] },
    (call, { client_gravatar, include_custom_profile_fields = false, user_ids }) => {
      const wanted = { clientGravatar: client_gravatar ?? call.level >= 92, profile: include_custom_profile_fields };
      const chosen = user_ids && new Set(user_ids);
      const seen = [...call.state.users.values()].filter(({ user_id }) => chosen?.has(user_id) ?? true);
      return { members: seen.map((user) => record(call, user, wanted)) };
    },
  ),

  on(getOwnUser, { silent: true }, (call) => ({
    ...record(call, call.caller, { clientGravatar: false, profile: true }),
    max_message_id: Math.max(
      -1,
      ...[...call.state.messages.values()]
        .filter(({ received }) => received.has(call.caller.user_id))
        .map(({ id }) => id),
    ),
  })),
];
