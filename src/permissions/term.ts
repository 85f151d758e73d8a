/** The parts of rules. Each term selects accounts, and can name a reason or what is missing. */
import type { Bits } from "./bits.ts";
import type { Facts, Scope, Target } from "./facts.ts";

/** Why somebody has a permission that comes from no group. */
export type Reason = "subscriber" | "public" | "web-public" | "administrator" | "owner" | "bot-owner" | "always";

/** The accounts that something is true of: all, none, or these. Undefined if unknown. */
export type Holders = boolean | Bits | undefined;

/** A fact about accounts that does not depend on a setting. */
export interface Fact {
  readonly kind: "fact";
  /** The reason if the fact gives the permission. */
  readonly reason?: Reason;
  /** What an account without it is missing. */
  readonly missing: string;
  /** People cannot have it, so none of them is missing it. */
  readonly ofBots?: true;
  readonly holders: (facts: Facts, target: Target) => Holders;
}

export type Term =
  | Fact
  /** Accounts in a setting of the target, or of the organization. */
  | { readonly kind: "in"; readonly scope: Scope; readonly setting: string; readonly byDate?: true }
  /** Bots whose owner is in the setting. */
  | { readonly kind: "owner in"; readonly scope: Scope; readonly setting: string }
  /** Accounts with another permission on the same target. */
  | { readonly kind: "permission"; readonly permission: string }
  | { readonly kind: "any"; readonly of: readonly Term[] }
  /** Accounts with the grant that also meet the requirements. */
  | { readonly kind: "when"; readonly requires: readonly Term[]; readonly grant: Term }
  /** Applies between two feature levels. Nobody has it at other levels. */
  | { readonly kind: "levels"; readonly from: number; readonly below: number; readonly term: Term }
  /** It is unknown which of these accounts have it. */
  | { readonly kind: "uncertain"; readonly why: string; readonly term: Term };

export const any = (...of: Term[]): Term => {
  const [only, another] = of;
  return only && !another ? only : { kind: "any", of };
};
/** Accounts that meet all requirements and have one of the grants. */
export const when = (requires: readonly Term[], ...grants: Term[]): Term =>
  requires.length ? { kind: "when", requires, grant: any(...grants) } : any(...grants);
export const permission = (permission: string): Term => ({ kind: "permission", permission });
export const sinceLevel = (level: number, term: Term): Term => ({ kind: "levels", from: level, below: Infinity, term });
export const beforeLevel = (level: number, term: Term): Term => ({ kind: "levels", from: 0, below: level, term });
export const uncertain = (why: string, term: Term): Term => ({ kind: "uncertain", why, term });

const inSetting = (scope: Scope, setting: string) => ({ kind: "in", scope, setting }) as const;
export const inOrganization = (setting: string) => inSetting("organization", setting);
export const inChannel = (setting: string) => inSetting("channel", setting);
export const inGroup = (setting: string) => inSetting("group", setting);
export const ownerInChannel = (setting: string): Term => ({ kind: "owner in", scope: "channel", setting });
/** If the setting is `role:fullmembers` itself, the join date decides. */
export const byDate = (setting: string): Term => ({ ...inOrganization(setting), byDate: true });

interface RuleInfo {
  /** The permission in words that follow "may". `{}` stands for the channel or group. Absent for unknown settings. */
  readonly action?: string;
  /** The first feature level with the permission. */
  readonly since?: number;
  /** Incoming webhook bots may have it. Most rules deny them. */
  readonly webhooks?: true;
  /** What every active account may do without the permission. `{}` stands for the accounts in the setting. */
  readonly exceptions?: readonly string[];
  readonly note?: string;
}

/** The rule of one permission. */
export interface Rule extends RuleInfo {
  /** The setting behind it. Null for acts without one. */
  readonly setting: string | null;
  /** Who has the permission. */
  readonly term: Term;
}

/** A rule as `rules/*.ts` state it. */
export interface RuleSpec extends RuleInfo {
  /** The setting behind it, by default the one with the rule's name. */
  readonly setting?: string | null;
  /** Requirements that always apply. */
  readonly requires?: readonly Term[];
  /** Who has the permission, by default the accounts in the setting. */
  readonly grant?: Term | null;
  /** Others who have it. */
  readonly alternatives?: readonly Term[];
}

export function ruleOf(
  scope: Scope,
  name: string,
  {
    setting = name,
    grant = setting === null ? null : inSetting(scope, setting),
    requires = [],
    alternatives = [],
    ...info
  }: RuleSpec,
): Rule {
  return { setting, term: when(requires, ...(grant ? [grant] : []), ...alternatives), ...info };
}
