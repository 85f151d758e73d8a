/** Who may do what with a group. Administrators and whoever made it have no right of their own. */
import { granting, inGroup, inOrganization, type Never } from "../term.ts";
import { noRole, notDeactivated, notDeactivatedBefore391 } from "./fact.ts";

const managing = [inGroup("can_manage_group"), inOrganization("can_manage_all_groups")];
const never: readonly Never[] = ["guests", "bots, doubtful from level 496 on"];
const membership = [noRole, notDeactivatedBefore391];

export const groupRules = granting(inGroup, {
  can_manage_group: {
    lets: "manage {}",
    never: ["guests", "bots before level 496"],
    needs: [noRole],
    besides: [inOrganization("can_manage_all_groups")],
    note: "name, description, settings, and taking groups out of it",
  },
  can_add_members_group: { lets: "add others to {}", never, needs: membership, besides: managing },
  can_join_group: {
    lets: "join {}",
    never,
    needs: membership,
    besides: [inGroup("can_add_members_group"), ...managing],
  },
  can_remove_members_group: { lets: "take others out of {}", never, needs: membership, besides: managing },
  can_leave_group: {
    lets: "leave {}",
    never,
    needs: membership,
    besides: [inGroup("can_remove_members_group"), ...managing],
    note: "only those who are in it themselves, and not through another group, can leave it",
  },
  can_mention_group: { lets: "mention {}", needs: [noRole, notDeactivated], webhooks: true },
  deactivate: {
    lets: "deactivate {}",
    shows: null,
    never: ["guests"],
    needs: [noRole, notDeactivated],
    besides: managing,
    note: "not while something active uses it",
  },
});
