import { type GroupSetting, whoIn } from "../model/permission.ts";
import type { Decisions } from "./decide.ts";
import type { Scope } from "./facts.ts";
import type { Rule } from "./term.ts";

/** A permission on one thing. Each exists once in an evaluation. */
export interface Cell {
  readonly scope: Scope;
  /** Null for the organization. */
  readonly target_id: number | null;
  /** The name of the channel or group. Null for the organization. */
  readonly name: string | null;
  /** Archived or deactivated. */
  readonly isInactive: boolean;
  /** The wire name of a setting or act. */
  readonly permission: string;
  readonly rule: Rule;
  /** The value of its setting, as the server sends it. */
  readonly granted_to: GroupSetting | null;
  readonly decisions: Decisions;
}

/** The groups in the value of a setting. */
export const groupsInSetting = ({ granted_to }: Pick<Cell, "granted_to">): readonly number[] =>
  whoIn(granted_to).direct_subgroups;
