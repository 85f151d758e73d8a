/** A section of the file: what it is called, what identifies its entries, and what they may say. */
import type { Update } from "../difference.ts";
import { filled, integer, type Members } from "../shape.ts";

type Away = Exclude<Update["action"], "update">;

interface Common {
  readonly doc: string;
  readonly members: Members;
}

/** One thing: settings, a key each. */
export interface Settings extends Common {
  readonly holds: "settings";
}

/** A list of things. */
export interface Things extends Common {
  readonly holds: "things";
  /** Of one and of several: `channel design`, `12 channels`. */
  readonly one: string;
  readonly called: string;
  /** The members that together say which thing an entry is about. */
  readonly key: readonly string[];
  /** At least one of these says which thing it is, where that is not the key alone. */
  readonly identified?: readonly string[];
  /** Equal for two names that are one to the server; they are compared as they are where absent. */
  readonly fold?: (name: string) => string;
  /** Their order means something; it can be changed from this feature level on. */
  readonly ordered?: number;
  /** What an entry must say of something that is not there yet. */
  readonly made?: string;
  /** May stand in `complete`. */
  readonly complete?: true;
  /** How its things are put away, where they can be: the member that says so, and what its values mean. */
  readonly away?: {
    readonly member: string;
    readonly away: unknown;
    readonly puts: Away;
    readonly brings: Away;
    /** The first feature level that brings something back. */
    readonly bringsSince?: number | undefined;
  };
}

export type Section = Settings | Things;

/** Of things whose name can change. */
export const pinned: Members = {
  was: { shape: filled, doc: "The old name, to rename it." },
  id: { shape: integer(1), doc: "The id of the thing, whatever its name; the file must name its organization." },
};
