/** The part of the library that its own types leave out. */
declare module "cli-table3/src/utils.js" {
  /** How many columns of a terminal the widest line of a text takes. */
  export function strlen(text: string): number;
}
