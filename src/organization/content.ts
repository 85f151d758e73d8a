/** The content of a desired-state file, and the place of each value. `document.ts` reads it. */
import { isMapping } from "../common/object-members.ts";
import type { SectionName, SettingSection, ThingSection } from "./section-names.ts";

/** The keys and indexes that lead from the top to a value. */
export type Path = readonly (string | number)[];

/** A place in a file. Line and column count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface FileProblem {
  readonly location: Location;
  /** Follows the place in the message. */
  readonly message: string;
}

/** An entry of a section, by the names of its attributes in the file. */
export type FileEntry = Readonly<Record<string, unknown>>;

/** Returns the same text for all spellings of one address. */
export const foldSite = (address: string): string => address.toLowerCase().replace(/\/+$/, "");

/** The address of an organization, or the addresses of several. */
type Sites = string | readonly string[];

export const isSites = (value: unknown): value is Sites =>
  typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));

/** Returns normalized addresses in a fixed order. */
export const sitesOf = (sites: Sites): string[] => [sites].flat().map(foldSite).sort();

export const isEntry: (value: unknown) => value is FileEntry = isMapping;

/** The merged content of all files. Lists with `@file` are already expanded. */
export type Content = {
  readonly organization?: Sites;
  readonly complete?: readonly SectionName[];
} & { readonly [S in SettingSection]?: FileEntry } & { readonly [S in ThingSection]?: readonly FileEntry[] };

export interface Document {
  /** Empty if there are problems. */
  readonly value: Content;
  /** The first problems, in the order of files and lines. */
  readonly problems: readonly FileProblem[];
  /** The number of all problems. It can be larger than the number of problems listed. */
  readonly count: number;
  /** Returns the place of a value, or with `key` of its key. A value that no file has gets the place of its entry. */
  at(path: Path, key?: "key"): Location;
}
