/** What a section says about comparing its entries, beyond the attributes that all sections compare in the same way. */
import type { Option } from "../../model/profile-field.ts";
import type { Member } from "../attribute-shapes.ts";
import type { Findings } from "../compare/findings.ts";
import type { Content, FileEntry, Path } from "../content.ts";
import type { Difference, FieldChange, ThingId, Through } from "../difference.ts";
import type { Caller } from "../group-members.ts";
import type { SectionName, ThingSection } from "../section-names.ts";
import type { Person, Snapshot } from "../snapshot.ts";

export interface ComparedThing {
  /** Domains have no id. */
  readonly id: number | undefined;
  /** The name as the file writes it. */
  readonly name: string;
  /** Equal for two names that are the same to the server. */
  readonly key: string;
  readonly archived: boolean;
  /** Returns the value with ids of an attribute. Undefined if the server does not send it. */
  read(attribute: string): unknown;
}

/** An entry, and the thing that it describes. */
export interface Pair {
  readonly entry: FileEntry;
  readonly path: Path;
  /** The name of the thing after the plan. */
  readonly name: string;
  readonly key: string;
  /** True if the entry archives or deactivates its thing, false if it restores it. Undefined if it leaves it so. */
  readonly archives: boolean | undefined;
  /** Absent if the thing must be created. */
  readonly thing?: ComparedThing;
}

export interface Pairing {
  readonly things: readonly ComparedThing[];
  readonly pairs: readonly Pair[];
  /** Things that the file names, also as `was`. `--prune` keeps them. */
  readonly claimed: ReadonlySet<ComparedThing>;
}

export type Pairings = Readonly<Record<ThingSection, Pairing>>;

/** A profile field after the plan. */
export interface FinalField {
  readonly name: string;
  readonly type: unknown;
  readonly options: readonly Option[];
}

/** Finds the people and things that texts name. What is not found becomes a problem. */
interface FoundReferences {
  person(text: string, path: Path): Person | { readonly invited: string } | undefined;
  profileField(text: string, path: Path): ThingId | undefined;
  /** By lower-case address of a person to invite, the groups and channels that list them. */
  readonly invited: ReadonlyMap<string, Readonly<Record<"groups" | "channels", readonly ThingId[]>>>;
  /** Ids of people who are deactivated after the plan, and whether the file deactivates them. */
  readonly deactivated: ReadonlyMap<number, boolean>;
  /** Added to "not found": the number of addresses that this account cannot see. */
  readonly hiddenAddresses: string;
}

/** A value of the file, and its context. */
export interface ValueContext {
  readonly value: unknown;
  readonly path: Path;
  /** The current value. Undefined if there is none, or the server does not send it. */
  readonly from: unknown;
  /** The list that contains the value. An invitation adds people to it. */
  readonly list?: { readonly section: SectionName; readonly known: ThingId };
  /** Whether servers show deactivated people in this list. */
  readonly showsDeactivated?: boolean;
}

/** Converts values of the file: names become ids. */
interface ValueConversion {
  /** Undefined after a problem. */
  of(member: Member, value: ValueContext): unknown;
  /** Returns sorted ids. */
  people(list: ValueContext): number[];
  /** Returns the groups through which people are in the list at a path. */
  through(path: Path): readonly Through[];
  /** Returns the lists of the file that draw on a group. */
  usesOf(group: ThingId): readonly string[];
}

/** The shared state of a comparison. */
export interface Comparing {
  readonly snapshot: Snapshot;
  readonly content: Content;
  /** Whether the plan removes what sections in `complete` do not list. */
  readonly prune: boolean;
  readonly findings: Findings;
  readonly references: FoundReferences;
  readonly values: ValueConversion;
  readonly everybody: ReadonlyMap<number, Person>;
  readonly pairings: Pairings;
  readonly caller: Caller;
  /** Profile fields by id or name. A comparison replaces them by their final state. */
  readonly fields: Map<number | string, FinalField>;
  /** Changes that would remove options of profile fields with `--prune`. */
  readonly unlistedOptions: Difference[];
}

export interface SectionRules {
  /** The attributes that `compare` compares, or that only identify the thing. */
  readonly fields?: readonly string[];
  /** Returns the changes of `fields`. Undefined after a problem. */
  compare?(c: Comparing, pair: Pair): FieldChange[] | undefined;
  /** Returns the differences for an entry without a thing, if it is not simply created. */
  absent?(c: Comparing, pair: Pair): Difference[];
}
