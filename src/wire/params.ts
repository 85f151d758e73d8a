/** Parameters: the type of a value, how it is sent, and which servers support it. */
import type { Replacement } from "../model/setting.ts";
import { integer, object, optional, string, type Type } from "./types.ts";

/** How a parameter was sent below the level `below`. */
export interface OlderForm<T = unknown> {
  below: number;
  encoding?: "text" | "json";
  name?: string;
  /** Undefined if the older server has no word for the value. */
  convert?(value: T): unknown;
  /** The type on the older server, if it differs. */
  type?: Type;
}

/** What numbers stand for. `who`: a group setting. `people`: people and groups. `draft`: the recipient of a draft. `recipient`: a channel, or a list of people. */
export type IdKind = "channel" | "folder" | "group" | "user" | "who" | "people" | "draft" | "recipient" | "role";

export interface ParamOptions<T> {
  /** The description in the documentation of organization files, if they contain it. */
  readonly doc?: string;
  /** The first feature level that supports the parameter. */
  readonly since?: number;
  /** Servers below `since` ignore it, and the rest of the call does harm. A level that was read earlier is not enough. */
  readonly harmfulBelow?: true;
  /** From this level on servers ignore it and have another parameter. */
  readonly until?: Replacement;
  /** The first feature level that supports this value, if it is later. */
  readonly valueSince?: (value: T) => number | undefined;
  /** How older servers expect it, the oldest first. */
  readonly older?: readonly OlderForm<T>[];
  /** What the numbers in it stand for. */
  readonly of?: IdKind;
  /** Sent in the URL, whatever the method is. */
  readonly query?: boolean;
  /** Printed as `[secret]`. */
  readonly secret?: boolean;
}

export interface Param<T = unknown, O extends boolean = boolean> extends ParamOptions<T> {
  readonly type: Type<T>;
  /**
   * How it is sent. "text": unchanged. "json": as a JSON document. "path" and "link": as the place of a file. "file":
   * the bytes of a file on this machine. "unsent": not sent.
   */
  readonly encoding: "text" | "json" | "path" | "link" | "file" | "unsent";
  readonly optional: O;
}

// biome-ignore lint/suspicious/noExplicitAny: a parameter's value stands in both directions, so only `any` covers all.
export type Params = Readonly<Record<string, Param<any>>>;

const param = <T>(type: Type<T>, encoding: Param["encoding"], shape: ParamOptions<T>): Param<T, false> => ({
  ...shape,
  type,
  encoding,
  optional: false,
});

/** Text that is sent unchanged. */
export const text = (shape: ParamOptions<string> = {}): Param<string, false> => param(string, "text", shape);
/** Text of a narrower type that is sent unchanged. */
export const textOf = <T extends string>(type: Type<T>, shape: ParamOptions<T> = {}): Param<T, false> =>
  param(type, "text", shape);
/** A part of a path that contains slashes. */
export const path = (): Param<string, false> => param(string, "path", {});
/** An address below the site or elsewhere. Its query may contain a secret. */
export const link = (): Param<string, false> => param(string, "link", {});
/** A value that is sent as a JSON document. */
export const json = <T>(type: Type<T>, shape: ParamOptions<T> = {}): Param<T, false> => param(type, "json", shape);
/** A value that is not sent: it describes what the request is about. */
export const unsent = <T>(type: Type<T>, shape: ParamOptions<T> = {}): Param<T, false> => param(type, "unsent", shape);
export const maybe = <T>(param: Param<T>): Param<T, true> => ({ ...param, optional: true });

/** A file on this machine as it was checked. Its bytes are read while they are sent. */
export interface FileToSend {
  path: string;
  /** The number of bytes, if known. */
  size?: number | undefined;
  /** The media type: `image/png`. */
  type: string;
}
const fileToSend: Type<FileToSend> = object({ path: string, size: optional(integer), type: string });
export const upload = (): Param<FileToSend, false> => param(fileToSend, "file", {});

type RequiredNames<P extends Params> = { [K in keyof P]: P[K] extends Param<infer _, false> ? K : never }[keyof P];
type ValueOf<P> = P extends Param<infer T> ? T : never;
/** The arguments of a caller. Absent and undefined are equal, null is another value. */
export type Args<P extends Params> = { [K in RequiredNames<P>]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, RequiredNames<P>>]?: ValueOf<P[K]> | undefined;
};
