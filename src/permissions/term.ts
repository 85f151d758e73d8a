/** What rules are made of: each term stands for the accounts for which it holds, and can say by what, or what is missing. */
import type { Bits } from "./bits.ts";
import type { Facts, Target } from "./facts.ts";

export type Scope = "organization" | "channel" | "group";

/** What gives a right where no group does. */
export type Word = "subscriber" | "public" | "web-public" | "administrator" | "owner" | "bot-owner" | "always";

/** Something that is so for some accounts, or for all or none, and is not a matter of a setting. */
export interface Fact {
  readonly kind: "fact";
  /** The reason, where the fact gives the right. */
  readonly word?: Word;
  /** What is missing where it does not hold. */
  readonly lack: string;
  /** Undefined if unknown. */
  readonly holds: (facts: Facts, target: Target) => boolean | Bits | undefined;
}

export type Term =
  | Fact
  /** In the value of a setting: of the target, where it is of its kind, or of the organization. */
  | { readonly kind: "in"; readonly scope: Scope; readonly setting: string; readonly byDate?: true }
  /** Bots whose owner is in it. */
  | { readonly kind: "owner in"; readonly scope: Scope; readonly setting: string }
  /** Whoever may do something else with the same target. */
  | { readonly kind: "may"; readonly permission: string }
  | { readonly kind: "any"; readonly of: readonly Term[] }
  /** The grant alone gives the right; the needs are what it takes besides. */
  | { readonly kind: "when"; readonly needs: readonly Term[]; readonly grant: Term }
  /** Holds from a feature level on, up to another one; nobody before and after. */
  | { readonly kind: "levels"; readonly from: number; readonly below: number; readonly term: Term }
  /** Nobody knows for whom of these it holds. */
  | { readonly kind: "doubt"; readonly why: string; readonly term: Term };

export const any = (...of: Term[]): Term => {
  const [only, another] = of;
  return only && !another ? only : { kind: "any", of };
};
/** Whoever all the needs hold for, and one of the others. */
export const when = (needs: readonly Term[], ...grants: Term[]): Term =>
  needs.length ? { kind: "when", needs, grant: any(...grants) } : any(...grants);
export const may = (permission: string): Term => ({ kind: "may", permission });
export const from = (level: number, term: Term): Term => ({ kind: "levels", from: level, below: Infinity, term });
export const before = (level: number, term: Term): Term => ({ kind: "levels", from: 0, below: level, term });
export const doubt = (why: string, term: Term): Term => ({ kind: "doubt", why, term });

export const inside = (scope: Scope) => (setting: string) => ({ kind: "in", scope, setting }) as const;
export const inOrganization = inside("organization");
export const inChannel = inside("channel");
export const inGroup = inside("group");
export const ownerInChannel = (setting: string): Term => ({ kind: "owner in", scope: "channel", setting });
/** The same, but where the setting is `role:fullmembers` itself the date decides who is a full member. */
export const byDate = (setting: string): Term => ({ ...inOrganization(setting), byDate: true });

interface About {
  /** What it is to have it, after "may"; `{}` stands for the name of the channel or group. Absent for unknown settings. */
  readonly lets?: string;
  /** The feature level from which the permission is there. */
  readonly since?: number;
  /** Incoming-webhook bots are refused everything, except what says so. */
  readonly webhooks?: true;
  /** What every active account may do without it; `{}` stands for whom the setting names. */
  readonly exceptions?: readonly string[];
  /** What somebody who reads the answer has to know besides. */
  readonly note?: string;
}

/** The rule of one permission. */
export interface Rule extends About {
  /** The setting behind it; null for acts that have none. */
  readonly setting: string | null;
  /** Who may. */
  readonly term: Term;
}

/** A rule as it is written down: who may, top to bottom. */
export interface Stated extends About {
  /** The setting that is shown as its value; its own name where it is one. Null for acts that no setting stands behind. */
  readonly shows?: string | null;
  /** What it takes, whatever else holds. */
  readonly needs?: readonly Term[];
  /** Who is in the setting may: the setting of the rule's name, if the rule does not mention settings. */
  readonly by?: Term | null;
  /** These may too. */
  readonly besides?: readonly Term[];
}

/** A permission with another name for the same right has a rule that is that permission alone. */
export function ruleOf(scope: Scope, name: string, { shows, needs = [], by, besides = [], ...about }: Stated): Rule {
  const grant = by === undefined && shows === undefined ? inside(scope)(name) : by;
  const term = when(needs, ...(grant ? [grant] : []), ...besides);
  return { ...about, setting: shows === undefined ? name : shows, term };
}
