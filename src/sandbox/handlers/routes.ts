/** Every route of the sandbox. */
import type { Route } from "../router.ts";
import { attachmentRoutes } from "./attachments.ts";
import { channelUpdateRoutes } from "./channel-update.ts";
import { channelRoutes } from "./channels.ts";
import { draftRoutes } from "./drafts.ts";
import { exportRoutes } from "./exports.ts";
import { folderRoutes } from "./folders.ts";
import { groupMembersRoutes } from "./group-members.ts";
import { groupRoutes } from "./groups.ts";
import { keyRoutes } from "./keys.ts";
import { linkifierRoutes } from "./linkifiers.ts";
import { messageRoutes } from "./messages.ts";
import { pushRoutes } from "./push.ts";
import { serverRoutes } from "./server.ts";
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
];
