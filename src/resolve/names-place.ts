/** The place of an account's names for completion: a directory with a file for each kind. */
export interface Seer {
  site: string;
  email: string;
}

/** The directories of all accounts. */
export const allNames = (cache: string): string => `${cache}/names`;

/** Returns the name of an account's directory. */
export const accountName = ({ site, email }: Seer): string =>
  `${encodeURIComponent(site)}+${encodeURIComponent(email)}`;

export const namesPlace = (cache: string, seer: Seer): string => `${allNames(cache)}/${accountName(seer)}`;
