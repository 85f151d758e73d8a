/** What a row's command line would change: the command itself says so, in a context of the run's. */

import { HelpShown, type Program } from "../cli/program.ts";
import type { Change } from "../engine/change.ts";
import { Failure, NothingAsked, Usage } from "../errors.ts";
import { PresentValues } from "../resolve/present.ts";
import { type KnownNames, Resolver } from "../resolve/resolver.ts";
import { Rosters } from "../resolve/rosters.ts";
import type { Context } from "../run/context.ts";
import type { Shell } from "../run/shell.ts";
import type { World } from "../world.ts";
import type { Memberships, ValuesOfRows } from "./earlier-rows.ts";
import type { Attachments } from "./input.ts";
import type { Locate, Make } from "./validation.ts";

/** Looks up what rows name, and whether an account is deactivated where the run reads people anyway. */
class RowResolver extends Resolver {
  readonly #alike: boolean;
  /** People were looked up by name or address. */
  #reads = false;

  /** `alike`: the rows are of one command, so that none of them reactivates people for another. */
  constructor(server: Context["server"], known: { meanings: KnownNames; note: Context["note"] }, alike: boolean) {
    super(server, known);
    this.#alike = alike;
  }

  async deactivated(id: number) {
    return this.#alike && this.#reads && (await this.person(id, { many: true }))?.is_active === false;
  }

  override user(value: string, flag: string) {
    this.#reads ||= value.includes("@") || value.startsWith("name:");
    return super.user(value, flag);
  }
}

const vain = (): never => {
  throw new NothingAsked("this command changes nothing: a batch takes only commands that change something");
};

/** The context of the rows: of all rows the same, so that names are looked up once. */
function contextOf(
  context: Context,
  meanings: KnownNames,
  attachments: Attachments,
  { alike, ...there }: Required<Pick<Context, "rosters" | "present">> & { alike: boolean },
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
  return {
    ...context,
    world: rowWorld,
    find: new RowResolver(context.server, { meanings, note: context.note }, alike),
    ...there,
    line: 0,
    // What a server does not know refuses a row and not the run: that is told when the row's turn comes.
    checkSupported: async () => undefined,
    ask: vain,
    askAll: vain,
    list: vain,
    showInstead: vain,
  };
}

export function maker(
  { shell, program, context }: { shell: Shell; program: Program; context: Context },
  meanings: KnownNames,
  attachments: Attachments,
  { memberships, values, alike }: { memberships: Memberships; values: ValuesOfRows; alike: boolean },
): { make: Make; locate: Locate; find: Context["find"] } {
  const rosters = new Rosters(context.server, memberships);
  const present = new PresentValues(context.server, values);
  const rows = contextOf(context, meanings, attachments, { rosters, present, alike });
  return {
    locate: (words, at) => program.placesOf(words, at),
    async make(words, { line, bare = false }): Promise<Change[]> {
      rows.line = line;
      let changes: Change[] | undefined;
      const into = (planned: Change[]) => {
        changes = planned;
      };
      try {
        await shell.collecting(rows, into, () => program.run(words));
      } catch (error) {
        if (bare && error instanceof NothingAsked) return [];
        if (error instanceof HelpShown) throw new Usage("--help and --version are not allowed in a row");
        if (error instanceof Failure && error.kind !== "usage") error.details.outcome ??= "not_sent";
        throw error;
      }
      return changes ?? vain();
    },
    find: rows.find,
  };
}
