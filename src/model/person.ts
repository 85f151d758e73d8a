/** The roles of people, and what they allow. */
import { nameOf, namesOf, valueNamed } from "../common/object-members.ts";

/** The numbers that servers use for roles. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export const roleNames = namesOf(roles);
export const roleValues = Object.values(roles);

/** Returns the number of a role. Undefined if there is none of this name. */
export const roleNumber = (name: unknown): number | undefined => valueNamed(roles, name);

/** Returns the name of a role. Undefined if it has none. */
export const knownRole = (role: unknown): keyof typeof roles | undefined => nameOf(roles, role);

/** Returns the number itself if it has no name. */
export const roleName = (role: number): string => knownRole(role) ?? String(role);

/** `an owner`, `a member`. */
export const roleWithArticle = (role: number): string =>
  `${/^[ao]/.test(roleName(role)) ? "an" : "a"} ${roleName(role)}`;

/** Returns whether a role is that of owners or administrators. */
export const administers = (role: number): boolean => role <= roles.administrator;

/** Records without the member are of active people. */
export const isActive = ({ is_active }: { readonly is_active?: boolean | undefined }): boolean => is_active !== false;

/** Returns whether an account is that of a person who can sign in. */
export const isActivePerson = (account: {
  readonly is_bot: boolean;
  readonly is_active?: boolean | undefined;
}): boolean => !account.is_bot && isActive(account);

/** Follows the name of an account. */
export const cannotReactivate = "was deleted and cannot be reactivated";

/** Says that only these may do it. */
export const ownersOnly = (what: string, who = "owners"): string =>
  `permission denied: only organization ${who} can ${what}`;

/** Returns whether the name of a role is that of owners or administrators. */
export const isAdministrativeRole = (role: unknown): boolean => role === "owner" || role === "administrator";

/** Returns a phrase that follows "it", about somebody who is reactivated. */
export const returnRisks = (role: unknown): string[] => (isAdministrativeRole(role) ? [`brings back an ${role}`] : []);
