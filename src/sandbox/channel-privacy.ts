/** The privacy of a channel in the course of an update: what would result, whether it may be, and making it so. */
import type { updateChannel } from "../api/channels.ts";
import type { ArgsOf } from "../wire/operation.ts";
import { hasContentAccess, insufficient, may } from "./access.ts";
import { refused } from "./answers.ts";
import { privacyChanged } from "./events/channels.ts";
import { whoSee } from "./events/queue.ts";
import type { Call } from "./router.ts";
import { allowsWebPublic, type Channel } from "./state.ts";

export const needsContentAccess = () => refused("Channel content access is required.");

/** A request in the course of being applied: steps change the channel one after the other, and none is undone. */
export interface Step extends Call {
  channel: Channel;
  args: Omit<ArgsOf<typeof updateChannel>, "message_retention_days"> & {
    message_retention_days?: number | string | undefined;
  };
}

export interface Privacy {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

/** The privacy that would result; a change of `is_private` alone sets the history to match. */
export function proposed({ channel, args }: Step): Privacy {
  const { is_private, is_web_public, history_public_to_subscribers } = args;
  const history = is_private === undefined ? channel.history_public_to_subscribers : !is_private;
  return {
    invite_only: is_private ?? channel.invite_only,
    is_web_public: is_web_public ?? channel.is_web_public,
    history_public_to_subscribers: history_public_to_subscribers ?? history,
  };
}

export function checkPrivacy(step: Step, next: Privacy): void {
  const { state, caller, level, channel, args } = step;
  const { is_private, is_web_public, is_default_stream } = args;
  if (!next.history_public_to_subscribers && !next.invite_only) throw refused("Invalid parameters");
  if (next.is_web_public && (next.invite_only || !next.history_public_to_subscribers))
    throw refused("Invalid parameters");
  if (next.invite_only && (is_default_stream ?? channel.is_default))
    throw refused("A default channel cannot be private.");
  if (!next.invite_only && channel.stream_id === state.organization.settings.moderation_request_channel_id) {
    // The first level with the later words is not known exactly.
    throw refused(
      level >= 478 ? "A moderation request channel cannot be public." : "Moderation request channel must be private.",
    );
  }
  if (is_private !== undefined) {
    if (!hasContentAccess(state, caller, channel)) throw needsContentAccess();
    const permission = is_private ? "can_create_private_channel_group" : "can_create_public_channel_group";
    if (level > 371 && !may(state, caller, permission)) throw insufficient();
  }
  if (is_web_public) {
    if (!allowsWebPublic(state.organization)) throw refused("Web-public channels are not enabled.");
    if (!may(state, caller, "can_create_web_public_channel_group")) throw insufficient();
  }
}

export function applyPrivacy(step: Step, next: Privacy): void {
  const { state, channel, args } = step;
  const asked = [args.is_private, args.is_web_public, args.history_public_to_subscribers];
  if (asked.every((value) => value === undefined)) return;
  const before = whoSee(state, channel);
  Object.assign(channel, next);
  privacyChanged(step, channel, before);
}
