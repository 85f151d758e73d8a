/** Rules for groups. Administrators and the creator have no rights of their own. */
import { inGroup, inOrganization, type Stated } from "../term.ts";
import {
  noBotsBefore496,
  noBotsOrUncertain,
  noGuests,
  noRole,
  notDeactivated,
  notDeactivatedBefore391,
} from "./fact.ts";

const managing = [inGroup("can_manage_group"), inOrganization("can_manage_all_groups")];
const membership = [noGuests, noBotsOrUncertain, noRole, notDeactivatedBefore391];

export const groupRules: Readonly<Record<string, Stated>> = {
  can_manage_group: {
    lets: "manage {}",
    needs: [noGuests, noBotsBefore496, noRole],
    besides: [inOrganization("can_manage_all_groups")],
    note: "name, description, settings, and taking groups out of it",
  },
  can_add_members_group: { lets: "add others to {}", needs: membership, besides: managing },
  can_join_group: {
    lets: "join {}",
    needs: membership,
    besides: [inGroup("can_add_members_group"), ...managing],
  },
  can_remove_members_group: { lets: "take others out of {}", needs: membership, besides: managing },
  can_leave_group: {
    lets: "leave {}",
    needs: membership,
    besides: [inGroup("can_remove_members_group"), ...managing],
    note: "only those who are in it themselves, and not through another group, can leave it",
  },
  can_mention_group: { lets: "mention {}", needs: [noRole, notDeactivated], webhooks: true },
  deactivate: {
    lets: "deactivate {}",
    shows: null,
    needs: [noGuests, noRole, notDeactivated],
    besides: managing,
    note: "not while something active uses it",
  },
};
