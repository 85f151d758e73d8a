import type { Person } from "../snapshot.ts";

/** Who gains and who loses one permission. */
export interface AccessChange {
  readonly scope: "organization" | "channel" | "group";
  /** The id and the name of the channel or group. Null for the organization. */
  readonly target_id: number | null;
  readonly name: string | null;
  readonly permission: string;
  /** The permission in words that follow "may". `{}` stands for the channel or group. */
  readonly action: string;
  readonly gain: readonly Person[];
  readonly lose: readonly Person[];
}
