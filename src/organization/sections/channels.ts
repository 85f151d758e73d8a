import { leastRetention } from "../../api/channel-settings.ts";
import { updateChannel } from "../../api/channels.ts";
import { foldChannelName, strip } from "../../folding.ts";
import { choice, either, filled, integer, oneLine, people } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

export const channels: Things = {
  doc: "Channels.",
  holds: "things",
  one: "channel",
  called: "channels",
  key: ["name"],
  fold: foldChannelName,
  complete: true,
  away: {
    member: "archived",
    away: true,
    puts: "archive",
    brings: "unarchive",
    bringsSince: updateChannel.params.is_archived.since,
  },
  members: {
    name: { shape: filled, doc: "The name.", needed: true, stored: strip },
    ...pinned,
    ...attributesOf(updateChannel, {
      without: ["stream_id", "new_name"],
      as: { folder_id: "folder", is_archived: "archived" },
      more: {
        description: { stored: oneLine },
        folder: { doc: "The folder that it is in; null for none." },
        message_retention_days: {
          owner: true,
          shape: either(integer(leastRetention), choice("realm_default", "unlimited")),
        },
        // Archiving is another call, which every server knows.
        archived: { doc: "true archives the channel, false unarchives it.", since: undefined },
      },
    }),
    subscribers: { shape: people, doc: "Those who are subscribed." },
  },
};
