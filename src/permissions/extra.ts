/** What somebody may do beyond what their role gives. */
import type { Person } from "../organization/snapshot.ts";
import { type Cell, type Judgement, judgementOf } from "./judgement.ts";

/** No server gives such an id. */
const stranger = -1;

/** Whether somebody of the same role, who is in no group of people's and no channel and is named nowhere, may it too. */
export function ordinary({ snapshot }: Judgement, person: Person): (cell: Cell) => boolean {
  const { organization } = snapshot;
  const judgement = judgementOf({
    ...snapshot,
    organization: {
      ...organization,
      realm_users: [...organization.realm_users, { ...person, user_id: stranger, bot_owner_id: null }],
      realm_user_groups: organization.realm_user_groups.map((group) =>
        group.is_system_group && group.members.includes(person.user_id)
          ? { ...group, members: [...group.members, stranger] }
          : group,
      ),
    },
  });
  return ({ scope, target_id, permission }) =>
    judgement.may(stranger, judgement.cell(scope, target_id, permission)!) === true;
}
