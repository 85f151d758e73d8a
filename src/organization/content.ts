/** What files say should be, and where they say it. `document.ts` makes it of their texts. */
import type { SectionName } from "./words.ts";

/** The way from the top of a value to a part of it. */
export type Path = readonly (string | number)[];

/** Line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Problem {
  readonly place: Place;
  /** Completes a sentence that begins with where it is. */
  readonly says: string;
}

/** An entry of a section: its attributes by their names in the file. */
export type Entry = Readonly<Record<string, unknown>>;

/** The same for all addresses of one organization. */
const siteOf = (address: string): string => address.toLowerCase().replace(/\/+$/, "");

/** The address of an organization, or those of several. */
export type Sites = string | readonly string[];

export const isSites = (value: unknown): value is Sites =>
  typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));

/** Each as `siteOf` has it, in an order of their own. */
export const sitesOf = (sites: Sites): string[] => [sites].flat().map(siteOf).sort();

export const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Settings = "settings" | "new_users";

/** What all files say together, in the shape that `file.ts` states; of `@file` lists it has the lines. */
export type Content = {
  readonly organization?: Sites;
  readonly complete?: readonly SectionName[];
} & { readonly [S in Settings]?: Entry } & { readonly [S in Exclude<SectionName, Settings>]?: readonly Entry[] };

export interface Document {
  /** Empty where there are problems. */
  readonly value: Content;
  /** The first of them, in the order of files and lines. */
  readonly problems: readonly Problem[];
  /** How many there are; where it is larger than their number, there are more than are told. */
  readonly count: number;
  /** Where the value at the end of the path stands, or with `key` the key before it; of what nobody wrote, where the rest of its entry is. */
  at(path: Path, key?: "key"): Place;
}
