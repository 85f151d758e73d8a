/** Explains refusals by the account's role, if the role is known. */
import { getOwnUser, getUsers } from "../api/users.ts";
import type { Failure } from "../errors.ts";
import { knownRole, roles, roleWithArticle } from "../model/person.ts";
import type { Call } from "../wire/call.ts";
import type { AnswerOf } from "../wire/operation.ts";
import type { Requirement } from "../wire/requirement.ts";
import type { RequestInfo } from "./outcome.ts";
import type { Verdict } from "./verdict.ts";

/** The code for a missing role. Other missing permissions are ordinary bad requests. */
const missingRole = "UNAUTHORIZED_PRINCIPAL";

/** The server's error for a bot where it accepts only people. */
const refusalOfBots = "This endpoint does not accept bot requests.";

const lowerCase = (text: string | null | undefined): string | undefined => text?.toLowerCase();

export class RoleHint {
  readonly #email: string | undefined;
  /** The number of the account's role. */
  #role: number | undefined;

  constructor(email: string | undefined) {
    this.#email = lowerCase(email);
  }

  /** Learns the role from other answers. */
  learn({ operation }: Call, answer: Record<string, unknown>): void {
    if (operation === getOwnUser && typeof answer.role === "number") this.#role = answer.role;
    if (operation !== getUsers || this.#email === undefined) return;
    const { members } = answer as AnswerOf<typeof getUsers>;
    const own = members.find(
      ({ delivery_email, email }) => lowerCase(delivery_email) === this.#email || lowerCase(email) === this.#email,
    );
    if (own?.role !== undefined) this.#role = own.role;
  }

  /** Adds a likely reason to the hint of a refusal. */
  explain({ details }: Failure, { operation: { who, method }, path }: RequestInfo, verdict: Verdict): void {
    // The code stands for other bad requests too, and only the hint depends on the text.
    if (verdict.kind === "error" && verdict.msg === refusalOfBots)
      details.hint = `Servers let only people make this request (${method} ${path}), not bots: use the key of a person who may do it, with --profile.`;
    if (!who || verdict.kind !== "error" || verdict.status !== 400) return;
    const hint = this.#hint(who, verdict.code ?? "BAD_REQUEST", verdict.msg);
    if (hint) details.hint = [hint, details.hint].filter(Boolean).join(" ");
  }

  #hint({ role, owners, permission }: Requirement, code: string, msg: string): string | undefined {
    const isBelow = role !== undefined && this.#isBelow(role);
    if (code === missingRole) {
      const least = role && role !== "member" ? `Only ${role}s can do this` : undefined;
      const special = owners && `nly owners can ${owners}`;
      if (least && (isBelow || !special)) return this.#sentence(least);
      if (this.#role === undefined && least) return this.#sentence(`${least}, and o${special}`);
      return special && this.#sentence(`O${special}`);
    }
    if (code !== "BAD_REQUEST") return undefined;
    // The server refuses this to every such account.
    if (isBelow) return this.#sentence(`Only ${role}s can do this`);
    // The code also stands for other bad requests, such as a weak password.
    if (permission?.refusal !== msg) return undefined;
    const missing = `The permission ${permission.name} is missing: only the server's command line grants it, even to owners.`;
    return permission.instead ? `${missing} ${permission.instead}` : missing;
  }

  #isBelow(role: NonNullable<Requirement["role"]>): boolean {
    return this.#role !== undefined && this.#role > roles[role];
  }

  #sentence(sentence: string): string {
    const role = this.#role;
    if (role === undefined || knownRole(role) === undefined) return `${sentence}.`;
    return `${sentence}; this account is ${roleWithArticle(role)}.`;
  }
}
