/** Every route of the sandbox. */
import type { Route } from "../router.ts";
import { attachmentRoutes } from "./attachments.ts";
import { botRoutes } from "./bots.ts";
import { channelLifeRoutes } from "./channel-life.ts";
import { channelUpdateRoutes } from "./channel-update.ts";
import { channelRoutes } from "./channels.ts";
import { collectionRoutes } from "./collections.ts";
import { defaultsRoutes } from "./defaults.ts";
import { draftRoutes } from "./drafts.ts";
import { emojiRoutes } from "./emoji.ts";
import { eventRoutes } from "./events.ts";
import { exportRoutes } from "./exports.ts";
import { folderRoutes } from "./folders.ts";
import { groupMembersRoutes } from "./group-members.ts";
import { groupRoutes } from "./groups.ts";
import { invitationRoutes } from "./invitations.ts";
import { keyRoutes } from "./keys.ts";
import { linkifierRoutes } from "./linkifiers.ts";
import { messageRoutes } from "./messages.ts";
import { organizationRoutes } from "./organization.ts";
import { peopleRoutes } from "./people.ts";
import { profileFieldRoutes } from "./profile-fields.ts";
import { pushRoutes } from "./push.ts";
import { registerRoutes } from "./register.ts";
import { serverRoutes } from "./server.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { userRoutes } from "./users.ts";

export const routes: readonly Route[] = [
  ...serverRoutes,
  ...keyRoutes,
  ...userRoutes,
  ...channelRoutes,
  ...channelUpdateRoutes,
  ...folderRoutes,
  ...draftRoutes,
  ...groupRoutes,
  ...groupMembersRoutes,
  ...linkifierRoutes,
  ...messageRoutes,
  ...attachmentRoutes,
  ...exportRoutes,
  ...pushRoutes,
  ...peopleRoutes,
  ...botRoutes,
  ...subscriptionRoutes,
  ...channelLifeRoutes,
  ...invitationRoutes,
  ...profileFieldRoutes,
  ...collectionRoutes,
  ...emojiRoutes,
  ...organizationRoutes,
  ...defaultsRoutes,
  ...registerRoutes,
  ...eventRoutes,
];
