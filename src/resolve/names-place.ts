/** Where the names that an account sees are kept for completion: a directory with a file for each kind. */
export interface Seer {
  site: string;
  email: string;
}

export const namesPlace = (cache: string, { site, email }: Seer): string =>
  `${cache}/names/${encodeURIComponent(site)}+${encodeURIComponent(email)}`;
