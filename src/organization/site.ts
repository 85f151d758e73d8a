/** Of addresses of one organization the same, however they are written. */
export const siteOf = (address: string): string => address.toLowerCase().replace(/\/+$/, "");
