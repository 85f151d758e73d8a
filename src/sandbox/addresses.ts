/** E-mail addresses: which are any, and which an organization lets in. */
import { domainToASCII } from "node:url";
import { refused } from "./api-error.ts";
import type { State } from "./state.ts";

const local = /^[-!#$%&'*+/=?^_`{}|~0-9A-Z]+(?:\.[-!#$%&'*+/=?^_`{}|~0-9A-Z]+)*$/i;
const quoted = /^"(?:[\x01-\x08\x0b\x0c\x0e-\x1f!#-[\]-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*"$/;
const domain = /^(?:[A-Z0-9](?:[A-Z0-9-]{0,61}[A-Z0-9])?\.)+[A-Z0-9-]{1,62}[A-Z0-9]$/i;
const literal = /^\[[A-F0-9:.]+\]$/i;

/** What the server's framework takes for an e-mail address; names of other scripts count in their ASCII form. */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 0 || text.length > 320) return false;
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  if (!local.test(name) && !quoted.test(name)) return false;
  const named = /^[^\0-\x7f]/u.test(host.replace(/[\w.-]+/g, "")) ? domainToASCII(host) : host;
  return host === "localhost" || domain.test(named) || literal.test(host);
}

/** Some hosts that give out addresses for a few minutes; a server has a list of thousands. */
const disposable = new Set([
  "10minutemail.com",
  "guerrillamail.com",
  "mailinator.com",
  "mailnator.com",
  "temp-mail.org",
  "trashmail.com",
  "yopmail.com",
]);

export type Unwanted = "disposable" | "plus" | "domain";

/** Why the organization does not let an address in; undefined where it does. */
export function unwanted({ organization, domains }: State, address: string): Unwanted | undefined {
  const at = address.lastIndexOf("@");
  const host = address.slice(at + 1).toLowerCase();
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = organization.settings;
  if (!emails_restricted_to_domains) {
    return disallow_disposable_email_addresses && disposable.has(host) ? "disposable" : undefined;
  }
  if (address.slice(0, at).includes("+")) return "plus";
  const allowed = domains.some(
    (each) => each.domain === host || (each.allow_subdomains && host.endsWith(`.${each.domain}`)),
  );
  return allowed ? undefined : "domain";
}

export const holderOf = ({ users }: State, address: string) =>
  [...users.values()].find(({ delivery_email }) => delivery_email.toLowerCase() === address.toLowerCase());

/** An address that an account is to have from now on; the rules about domains are not asked. */
export function checkNewAddress(state: State, address: string): void {
  if (!isAddress(address)) throw refused("Invalid new email address.");
  if (holderOf(state, address)) throw refused("New email value error: Already has an account.");
}

/** The address of an account that is made. */
export function checkAddress(state: State, address: string): void {
  if (!isAddress(address)) throw refused("Bad name or username");
  switch (unwanted(state, address)) {
    case "disposable":
      throw refused("Disposable email addresses are not allowed in this organization");
    case "plus":
      throw refused("Email addresses containing + are not allowed.");
    case "domain":
      throw refused(`Email '${address}' not allowed in this organization`);
  }
  if (holderOf(state, address)) throw refused("Email is already in use.");
}
