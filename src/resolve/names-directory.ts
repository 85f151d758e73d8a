/** The place of an account's names for completion: a directory with a file for each kind. */
import type { AccountId } from "../client/sending-types.ts";

/** The directories of all accounts. */
export const namesRoot = (cache: string): string => `${cache}/names`;

/** Returns the name of an account's directory. */
export const accountDirectory = ({ site, email }: AccountId): string =>
  `${encodeURIComponent(site)}+${encodeURIComponent(email)}`;

export const namesDirectory = (cache: string, seer: AccountId): string =>
  `${namesRoot(cache)}/${accountDirectory(seer)}`;
