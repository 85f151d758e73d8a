/** Who may make a call, if not everybody. It explains refusals: the server decides. */
export interface Requirement {
  /** The lowest role. Owners have all rights of administrators, and guests are not members. */
  readonly role?: "owner" | "administrator" | "member";
  /** What only owners may do with it. Follows "only owners may". */
  readonly owners?: string;
  /** A permission that only the server's command line grants, the server's error without it, and an alternative. */
  readonly permission?: { readonly name: string; readonly refusal: string; readonly instead?: string };
}
