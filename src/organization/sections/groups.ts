import { updateGroup } from "../../api/groups.ts";
import { filled, groups as groupList, people } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

export const groups: Things = {
  doc: "User groups but those that every organization has.",
  holds: "things",
  one: "group",
  called: "groups",
  key: ["name"],
  complete: true,
  away: {
    member: "deactivated",
    away: true,
    puts: "deactivate",
    brings: "reactivate",
    bringsSince: updateGroup.params.deactivated.since,
  },
  members: {
    name: { shape: filled, doc: "The name.", needed: true },
    ...pinned,
    ...attributesOf(updateGroup, {
      without: ["user_group_id", "name"],
      more: { deactivated: { doc: "true deactivates the group, false reactivates it.", since: 290 } },
    }),
    members: { shape: people, doc: "Its direct members." },
    subgroups: { shape: groupList, doc: "Its direct subgroups.", since: 311 },
  },
};
