/** What completion may offer for the value of a flag or an argument. */
import type { Argument, Option } from "commander";

/** `free`: nobody can know. Those with `=` are a name and what is said of it. */
export type Kind =
  | "free"
  | "file"
  | "channel"
  | "folder"
  | "group"
  | "user"
  | "who"
  | "linkifier"
  | "draft"
  | "attachment"
  | "export"
  | "invitation"
  | "profile"
  | "site"
  | "run"
  | "field"
  | "permission"
  | "setting"
  | "setting=value"
  | "setting=who"
  | "channel-setting=who"
  | "group-setting=who"
  | "profile-field=value"
  | "parameter=value";

export interface Offer {
  /** A kind, or the words themselves. */
  readonly of: Kind | readonly string[];
  /** Several may stand in one value, with commas between them. */
  readonly list?: true;
  /** `@` begins the name of a file. */
  readonly at?: true;
}

const offers = new WeakMap<Option | Argument, Offer>();

export function offering<T extends Option | Argument>(taker: T, offer: Offer | undefined): T {
  if (offer) offers.set(taker, offer);
  return taker;
}

/** Undefined where nobody has said it. */
export const offerOf = (taker: Option | Argument): Offer | undefined => {
  const { argChoices } = taker;
  return offers.get(taker) ?? (argChoices && { of: argChoices });
};
