/** The parts of rules. Each term holds for some accounts, and can name a reason or what is missing. */
import type { Bits } from "./bits.ts";
import type { Facts, Target } from "./facts.ts";

export type Scope = "organization" | "channel" | "group";

/** The right does not come from a group. */
export type Word = "subscriber" | "public" | "web-public" | "administrator" | "owner" | "bot-owner" | "always";

/** A fact about accounts, or about all or none, that does not depend on a setting. */
export interface Fact {
  readonly kind: "fact";
  /** The reason if the fact gives the right. */
  readonly word?: Word;
  /** What is missing if the fact does not hold. */
  readonly missing: string;
  /** Undefined if unknown. */
  readonly holds: (facts: Facts, target: Target) => boolean | Bits | undefined;
}

export type Term =
  | Fact
  /** Accounts in a setting of the target, or of the organization. */
  | { readonly kind: "in"; readonly scope: Scope; readonly setting: string; readonly byDate?: true }
  /** Bots with an owner in it. */
  | { readonly kind: "owner in"; readonly scope: Scope; readonly setting: string }
  /** Accounts with another permission on the same target. */
  | { readonly kind: "may"; readonly permission: string }
  | { readonly kind: "any"; readonly of: readonly Term[] }
  /** The grant gives the right, and the needs are required besides. */
  | { readonly kind: "when"; readonly needs: readonly Term[]; readonly grant: Term }
  /** Holds between two feature levels, and for nobody at other levels. */
  | { readonly kind: "levels"; readonly from: number; readonly below: number; readonly term: Term }
  /** It is unknown for whom of these it holds. */
  | { readonly kind: "uncertain"; readonly why: string; readonly term: Term };

export const any = (...of: Term[]): Term => {
  const [only, another] = of;
  return only && !another ? only : { kind: "any", of };
};
/** Holds for accounts that have all needs, and one of the others. */
export const when = (needs: readonly Term[], ...grants: Term[]): Term =>
  needs.length ? { kind: "when", needs, grant: any(...grants) } : any(...grants);
export const may = (permission: string): Term => ({ kind: "may", permission });
export const from = (level: number, term: Term): Term => ({ kind: "levels", from: level, below: Infinity, term });
export const before = (level: number, term: Term): Term => ({ kind: "levels", from: 0, below: level, term });
export const uncertain = (why: string, term: Term): Term => ({ kind: "uncertain", why, term });

export const inside = (scope: Scope) => (setting: string) => ({ kind: "in", scope, setting }) as const;
export const inOrganization = inside("organization");
export const inChannel = inside("channel");
export const inGroup = inside("group");
export const ownerInChannel = (setting: string): Term => ({ kind: "owner in", scope: "channel", setting });
/** Like a setting, but for `role:fullmembers` itself the join date decides. */
export const byDate = (setting: string): Term => ({ ...inOrganization(setting), byDate: true });

interface About {
  /** The permission in words that follow "may". `{}` stands for the channel or group. Absent for unknown settings. */
  readonly lets?: string;
  /** The first feature level with the permission. */
  readonly since?: number;
  /** Incoming webhook bots may, which most rules deny. */
  readonly webhooks?: true;
  /** What every active account may do without it. `{}` stands for whom the setting names. */
  readonly exceptions?: readonly string[];
  /** A note for the reader of an answer. */
  readonly note?: string;
}

/** The rule of one permission. */
export interface Rule extends About {
  /** The setting behind it. Null for acts without one. */
  readonly setting: string | null;
  /** Who has the permission. */
  readonly term: Term;
}

/** A rule as it is written: who may, from top to bottom. */
export interface Stated extends About {
  /** The setting whose value is shown, by default the one with the rule's name. Null for acts without a setting. */
  readonly shows?: string | null;
  /** Requirements that always apply. */
  readonly needs?: readonly Term[];
  /** Accounts in the setting may. By default the setting has the rule's name. */
  readonly by?: Term | null;
  /** Others who may. */
  readonly besides?: readonly Term[];
}

/** A rule that equals the rule of another permission. */
export function ruleOf(scope: Scope, name: string, { shows, needs = [], by, besides = [], ...about }: Stated): Rule {
  const grant = by === undefined && shows === undefined ? inside(scope)(name) : by;
  const term = when(needs, ...(grant ? [grant] : []), ...besides);
  return { ...about, setting: shows === undefined ? name : shows, term };
}
