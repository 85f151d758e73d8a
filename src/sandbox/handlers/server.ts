import { deleteQueue, getEvents } from "../../api/events.ts";
import { getServerSettings } from "../../api/server.ts";
import { ApiError, badRequest } from "../answers.ts";
import { queueOfCaller } from "../events/queue.ts";
import { defaultIcon } from "../register-realm.ts";
import { type Context, on, onAnonymous } from "../router.ts";
import { allowsWebPublic } from "../state.ts";

export function versionMembers({ level }: Context) {
  // Servers before Zulip 10 are 9.0 here.
  const zulip_version = level >= 498 ? "12.0" : level >= 421 ? "11.0" : level >= 371 ? "10.0" : "9.0";
  return { zulip_version, zulip_feature_level: level, zulip_merge_base: zulip_version };
}

const otherMethods = Object.fromEntries(
  ["dev", "ldap", "remoteuser", "github", "azuread", "gitlab", "google", "apple", "saml", "openid connect"].map(
    (name) => [name, false],
  ),
);

export const serverRoutes = [
  onAnonymous(getServerSettings, { silent: true }, (context) => {
    const { organization, channels } = context.state;
    const { password_login } = organization;
    const { name, description } = organization.settings;
    return {
      authentication_methods: { password: password_login, email: password_login, ...otherMethods },
      ...versionMembers(context),
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: password_login,
      require_email_format_usernames: true,
      realm_url: context.site,
      realm_uri: context.site,
      realm_name: name,
      // The address is relative to the site.
      realm_icon: defaultIcon,
      realm_description: description && `<p>${description}</p>`,
      realm_web_public_access_enabled:
        allowsWebPublic(organization) && [...channels.values()].some((each) => each.is_web_public && !each.is_archived),
      external_authentication_methods: [],
    };
  }),
];

export const eventRoutes = [
  on(
    getEvents,
    {
      bucket: "events",
      // The part of the server that keeps the queues has a shorter refusal.
      missingError: (name) => new ApiError(400, "BAD_REQUEST", `Missing '${name}' argument`),
    },
    (call, { queue_id, last_event_id = -1, dont_block = false }) => {
      const queue = queueOfCaller(call, queue_id);
      if (last_event_id < queue.pruned)
        throw badRequest(`An event newer than ${last_event_id} has already been pruned!`);
      if (last_event_id >= queue.next) throw badRequest(`Event ${last_event_id} was not in this queue`);
      queue.pruned = last_event_id;
      queue.events = queue.events.filter(({ id }) => id > last_event_id);
      // A waiting client gets a heartbeat at this time.
      if (!queue.events.length && !dont_block) queue.events.push({ type: "heartbeat", id: queue.next++ });
      return { events: queue.events };
    },
  ),

  on(deleteQueue, {}, (call, { queue_id }) => {
    call.state.queues.delete(queueOfCaller(call, queue_id).id);
  }),
];
