/** What a permission is for. */
export type Scope = "organization" | "channel" | "group";
