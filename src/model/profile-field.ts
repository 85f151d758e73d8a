/** Custom profile fields: their types, and their data as servers store it. */

/** The numbers of types, by their words. */
export const fieldTypes = {
  short_text: 1,
  long_text: 2,
  options: 3,
  date: 4,
  url: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

/** Returns the data of a field for its options, in their order. People's values name the keys. */
export const optionsData = (options: readonly { readonly key: string; readonly text: string }[]) =>
  Object.fromEntries(options.map(({ key, text }, n) => [key, { text, order: String(n + 1) }]));

export interface ExternalAccount {
  accountType?: string | undefined;
  urlPattern?: string | undefined;
}

/** Returns the data of an external account. Without a type it is a custom one. `current`: the data until now. */
export function accountData(
  { accountType = "custom", urlPattern }: ExternalAccount,
  current: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const pattern = urlPattern ?? (accountType === "custom" ? current.url_pattern : undefined);
  return { subtype: accountType, ...(pattern !== undefined && { url_pattern: pattern }) };
}
