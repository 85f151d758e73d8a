/** Parameters: what a value is, how it travels, and which servers know it. */
import { integer, object, optional, string, type Type } from "./types.ts";

/** How a parameter travelled before the level `below`. */
export interface Earlier<T = unknown> {
  below: number;
  travel?: "text" | "json";
  name?: string;
  /** Undefined where the older server has no word for the value. */
  convert?(value: T): unknown;
  /** What the older server takes, where that is another type. */
  type?: Type;
}

/** What numbers stand for: `who` for a group setting, `draft` for what a draft is addressed to. */
export type Idea = "channel" | "folder" | "group" | "user" | "who" | "draft" | "role";

export interface Replacement {
  level: number;
  by: string;
}

export interface Shape<T> {
  /** As the documentation of organization files says it, for parameters that such a file has. */
  readonly doc?: string;
  /** The first feature level that knows the parameter. */
  readonly since?: number;
  /** Servers ignore the parameter again from a level on, for they have another. */
  readonly until?: Replacement;
  /** The first feature level that knows this value, where that is later than the parameter's own. */
  readonly valueSince?: (value: T) => number | undefined;
  /** How older servers want it, the oldest first. */
  readonly earlier?: readonly Earlier<T>[];
  /** What the ids, or other numbers, in it stand for. */
  readonly of?: Idea;
  /** Stands as `[secret]` wherever it is printed. */
  readonly secret?: boolean;
}

export interface Param<T = unknown, O extends boolean = boolean> extends Shape<T> {
  readonly type: Type<T>;
  /**
   * "text" as the characters stand, "json" as a JSON document, "path" and "link" as places of files, "file" as the bytes
   * of a file on this machine; "aside" where it is known here and not sent.
   */
  readonly travel: "text" | "json" | "path" | "link" | "file" | "aside";
  readonly optional: O;
}

// biome-ignore lint/suspicious/noExplicitAny: a parameter's value stands in both directions, so only `any` covers all.
export type Params = Readonly<Record<string, Param<any>>>;

/** Text that goes as it stands. */
export const text = (shape: Shape<string> = {}): Param<string, false> => words(string, shape);
/** Text of a narrower kind that goes as it stands. */
export const words = <T extends string>(type: Type<T>, shape: Shape<T> = {}): Param<T, false> => ({
  ...shape,
  type,
  travel: "text",
  optional: false,
});
/** A part of a path that has parts itself. */
export const path = (shape: Shape<string> = {}): Param<string, false> => ({ ...text(shape), travel: "path" });
/** A whole address, which may lead elsewhere, or one below the site. What its query says may be a key to it. */
export const link = (shape: Shape<string> = {}): Param<string, false> => ({ ...text(shape), travel: "link" });
/** A value that goes as a JSON document. */
export const json = <T>(type: Type<T>, shape: Shape<T> = {}): Param<T, false> => ({
  ...shape,
  type,
  travel: "json",
  optional: false,
});
/** A file on this machine as it was when it was checked; its bytes are read when they are sent. */
export interface FileToSend {
  path: string;
  /** Bytes, where they were counted. */
  size?: number | undefined;
  /** `image/png`. */
  type: string;
}
export const fileToSend = object({ path: string, size: optional(integer), type: string });
export const upload = (shape: Shape<FileToSend> = {}): Param<FileToSend, false> => ({
  ...shape,
  type: fileToSend,
  travel: "file",
  optional: false,
});
/** A value that the request itself does not carry: what it is about, where it says that in another way. */
export const aside = <T>(type: Type<T>, shape: Shape<T> = {}): Param<T, false> => ({
  ...shape,
  type,
  travel: "aside",
  optional: false,
});
export const maybe = <T>(param: Param<T>): Param<T, true> => ({ ...param, optional: true });

type Required<P extends Params> = { [K in keyof P]: P[K] extends Param<infer _, false> ? K : never }[keyof P];
type ValueOf<P> = P extends Param<infer T> ? T : never;
/** What a caller gives for these parameters; absent and undefined are the same wish, null is another. */
export type Args<P extends Params> = { [K in Required<P>]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, Required<P>>]?: ValueOf<P[K]> | undefined;
};
