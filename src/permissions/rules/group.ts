/** Rules for groups. Administrators and the creator have no rights of their own. */
import type { GroupPermission } from "../../model/group.ts";
import { inGroup, inOrganization, type RuleSpec } from "../term.ts";
import { noBotsBefore496, noGuests, notDeactivated, notDeactivatedBefore391, ownGroup } from "./fact.ts";

const managers = [inGroup("can_manage_group"), inOrganization("can_manage_all_groups")];
const membershipRequirements = [noGuests, noBotsBefore496, ownGroup, notDeactivatedBefore391];

export const groupRules: Readonly<Record<GroupPermission, RuleSpec> & Record<string, RuleSpec>> = {
  can_manage_group: {
    action: "manage {}",
    requires: [noGuests, noBotsBefore496, ownGroup],
    alternatives: [inOrganization("can_manage_all_groups")],
    note: "name, description, settings, and taking groups out of it",
  },
  can_add_members_group: { action: "add others to {}", requires: membershipRequirements, alternatives: managers },
  can_join_group: {
    action: "join {}",
    requires: membershipRequirements,
    alternatives: [inGroup("can_add_members_group"), ...managers],
  },
  can_remove_members_group: {
    action: "take others out of {}",
    requires: membershipRequirements,
    alternatives: managers,
  },
  can_leave_group: {
    action: "leave {}",
    requires: membershipRequirements,
    alternatives: [inGroup("can_remove_members_group"), ...managers],
    note: "only those who are in it themselves, and not through another group, can leave it",
  },
  can_mention_group: { action: "mention {}", requires: [ownGroup, notDeactivated], webhooks: true },
  deactivate: {
    action: "deactivate {}",
    setting: null,
    requires: [noGuests, ownGroup, notDeactivated],
    alternatives: managers,
    note: "not while something active uses it",
  },
};
