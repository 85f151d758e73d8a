/** The organization in which recorded answers are asked that hang on nothing that was done before. */
import type { Recorded } from "./recorded.ts";

type Given = NonNullable<Recorded["given"]>;

const everybody = [8, 9, 10, 11, 12, 13, 23, 34];
const open = (name: string, is_default = false) => ({ name, is_default, subscribers: everybody });

export const common: Given = {
  channels: {
    1: open("Zulip", true),
    2: open("sandbox", true),
    3: open("general", true),
    4: open("Denmark"),
    5: open("Rome"),
    6: open("Scotland"),
    7: open("core team"),
    8: { name: "priv", invite_only: true, history_public_to_subscribers: false, subscribers: [11] },
    9: { name: "arch", is_archived: true, subscribers: [8] },
    22: open("c22"),
    23: open("c23"),
    143: open("c143"),
    153: open("c153"),
    154: { name: "c154", invite_only: true, history_public_to_subscribers: false, subscribers: [34] },
    156: { name: "c156", is_archived: true, subscribers: [31] },
  },
  groups: {
    37: {},
    40: { members: [11] },
    41: {},
    136: { members: [43] },
    145: {},
    148: { deactivated: true },
    151: {},
  },
  users: { 8: { can_create_users: true }, 41: { can_change_user_emails: true } },
};
