/** Every route of the sandbox. */
import type { OperationName } from "../api/registry.ts";
import { keyRoutes } from "./auth.ts";
import type { files } from "./files.ts";
import { botRoutes } from "./handlers/bots.ts";
import { channelUpdateRoutes } from "./handlers/channel-update.ts";
import { channelRoutes } from "./handlers/channels.ts";
import { collectionRoutes } from "./handlers/collections.ts";
import { emojiRoutes } from "./handlers/emoji.ts";
import { exportRoutes } from "./handlers/exports.ts";
import { folderRoutes } from "./handlers/folders.ts";
import { groupRoutes } from "./handlers/groups.ts";
import { invitationRoutes } from "./handlers/invitations.ts";
import { messageEditRoutes } from "./handlers/message-edit.ts";
import { messageRoutes } from "./handlers/messages.ts";
import { organizationRoutes } from "./handlers/organization.ts";
import { peopleRoutes } from "./handlers/people.ts";
import { personalRoutes } from "./handlers/personal.ts";
import { personalSettingRoutes } from "./handlers/personal-settings.ts";
import { presenceRoutes } from "./handlers/presence.ts";
import { profileFieldRoutes } from "./handlers/profile-fields.ts";
import { profileValueRoutes } from "./handlers/profile-values.ts";
import { registerRoutes } from "./handlers/register.ts";
import { scheduledRoutes } from "./handlers/scheduled.ts";
import { sendingRoutes } from "./handlers/sending.ts";
import { singleMessageRoutes } from "./handlers/single-messages.ts";
import { subscriptionRoutes } from "./handlers/subscriptions.ts";
import { uploadRoutes } from "./handlers/uploads.ts";
import { userRoutes } from "./handlers/users.ts";
import type { Route } from "./router.ts";

const all = [
  ...keyRoutes,
  ...userRoutes,
  ...botRoutes,
  ...channelRoutes,
  ...channelUpdateRoutes,
  ...folderRoutes,
  ...personalRoutes,
  ...uploadRoutes,
  ...groupRoutes,
  ...messageRoutes,
  ...sendingRoutes,
  ...scheduledRoutes,
  ...messageEditRoutes,
  ...singleMessageRoutes,
  ...exportRoutes,
  ...presenceRoutes,
  ...peopleRoutes,
  ...subscriptionRoutes,
  ...invitationRoutes,
  ...profileFieldRoutes,
  ...profileValueRoutes,
  ...collectionRoutes,
  ...organizationRoutes,
  ...personalSettingRoutes,
  ...emojiRoutes,
  ...registerRoutes,
];

type Served = (typeof all)[number]["operation"]["name"] | (typeof files)[number]["name"];

/** It does not compile if an operation has no handler: the error names the operation. */
export const routes: Exclude<OperationName, Served> extends never ? readonly Route[] : Exclude<OperationName, Served> =
  all;
