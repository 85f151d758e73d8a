/** What commands in the rows of a batch have in place of the world of a single command. */
import { NothingAsked, Usage } from "../errors.ts";
import { PresentValues } from "../resolve/present.ts";
import { type KnownNames, Resolver } from "../resolve/resolver.ts";
import { Rosters } from "../resolve/rosters.ts";
import type { Context } from "../run/context.ts";
import type { World } from "../world.ts";
import type { Memberships, ValuesOfRows } from "./earlier-rows.ts";
import type { Attachments } from "./input.ts";

export interface RowState {
  names: KnownNames;
  attachments: Attachments;
  memberships: Memberships;
  values: ValuesOfRows;
}

export const changesNothing = (): never => {
  throw new NothingAsked("this command changes nothing: a batch takes only commands that change something");
};

/** Of all rows the same, so that names are looked up once. `alike`: the rows are of one command. */
export function rowContext(
  context: Context,
  { names, attachments, memberships, values, alike }: RowState & { alike: boolean },
): Context {
  const { world } = context;
  const files = { ...world.files, stream: (path: string) => attachments.stream(path) };
  const rowWorld: World = {
    ...world,
    files,
    // Each time another one, so that no row finds that an earlier one has read it.
    get stdin() {
      return {
        isTerminal: false,
        bytes: (): never => {
          throw new Usage("a batch row cannot read stdin");
        },
      };
    },
  };
  const find = new Resolver(context.server, { meanings: names, note: context.note });
  // Rows of several commands may reactivate people before others add them.
  if (!alike) find.deactivated = async () => false;
  return {
    ...context,
    world: rowWorld,
    find,
    rosters: new Rosters(context.server, memberships),
    present: new PresentValues(context.server, values),
    line: 0,
    // What a server is too old for refuses the row when it is sent, and not the run.
    checkSupported: async () => undefined,
    ask: changesNothing,
    askAll: changesNothing,
    list: changesNothing,
    showInstead: changesNothing,
  };
}
