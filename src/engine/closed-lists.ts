/**
 * Looks at a private channel right before a command that sets its subscribers takes somebody out. Another run may have taken
 * out who shall stay.
 */
import { memberKindNamed } from "../api/registry.ts";
import type { Server } from "../client/server.ts";
import { counted } from "../common/counted.ts";
import { Conflict } from "../errors.ts";
import { listNamed } from "../model/kinds/lists.ts";
import type { SetList } from "./change.ts";

/** Throws `Conflict` if somebody who shall be in one of the lists is not. */
export async function checkMembers(server: Server, lists: readonly SetList[]): Promise<void> {
  for (const { list, id, members: desired } of lists) {
    const { read, args, members } = memberKindNamed(list).of(id);
    const present = new Set(members(await server.call(read, args)));
    const count = desired.filter((each) => !present.has(each)).length;
    if (!count) continue;
    const { one, kind } = listNamed(list);
    throw new Conflict(
      `nobody was taken out: ${counted(count, one)} who shall stay left ${kind} ${id} after zulipctl had read the list`,
      { outcome: "not_sent", hint: "Somebody else changes the list, too. Run the command again." },
    );
  }
}
