/** Where the names that an account sees are kept for completion: a directory with a file for each kind. */
export interface Seer {
  site: string;
  email: string;
}

/** The directories of all accounts. */
export const allNames = (cache: string): string => `${cache}/names`;

/** What the directory of an account is called there. */
export const accountName = ({ site, email }: Seer): string =>
  `${encodeURIComponent(site)}+${encodeURIComponent(email)}`;

export const namesPlace = (cache: string, seer: Seer): string => `${allNames(cache)}/${accountName(seer)}`;
