/** Checks of text: names, URLs, e-mail addresses; and random text. */
import { domainToASCII } from "node:url";
import { badRequest, InternalError } from "./answers.ts";
import type { SandboxState } from "./state.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function randomText(random: () => number, length: number, alphabet = letters): string {
  let text = "";
  while (text.length < length) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}

/** The database refuses NUL, and nothing catches its error. */
export function checkStorable(text: string): void {
  if (text.includes("\0")) throw new InternalError();
}

export const escapeHtml = (text: string, apostrophe = "&#39;"): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", apostrophe);

/** Counts Unicode characters, not UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

/** Control characters and noncharacters. Zero-width characters are allowed. */
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** The position of the first unprintable character, counted from 1. */
export function unprintableAt(text: string): number | undefined {
  const index = [...text].findIndex((character) => unprintable.test(character));
  return index < 0 ? undefined : index + 1;
}

/** Checks the name of a channel, without surrounding space. */
export function checkChannelName(name: string): void {
  if (name === "") throw badRequest("Channel name can't be empty.");
  if (lengthOf(name) > 60) throw badRequest("Channel name too long (limit: 60 characters).");
  const at = unprintableAt(name);
  if (at !== undefined) throw badRequest(`Invalid character in channel name, at position ${at}.`);
}

/** Accepts the URLs that the server's framework accepts. */
export const isUrl = (text: string): boolean =>
  /^(?:https?|ftps?):\/\/(?:[^\s:@/]+(?::[^\s:@/]*)?@)?(?:\[[0-9a-f:.]+\]|localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:[\p{L}-]{2,63}|xn--[a-z0-9-]{1,59})\.?)(?::\d{1,5})?(?:[/?#]\S*)?$/iu.test(
    text,
  );

const localPart = /^[-!#$%&'*+/=?^_`{}|~0-9A-Z]+(?:\.[-!#$%&'*+/=?^_`{}|~0-9A-Z]+)*$/i;
const quotedLocalPart = /^"(?:[\x01-\x08\x0b\x0c\x0e-\x1f!#-[\]-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*"$/;
const domain = /^(?:[A-Z0-9](?:[A-Z0-9-]{0,61}[A-Z0-9])?\.)+[A-Z0-9-]{1,62}[A-Z0-9]$/i;
const addressLiteral = /^\[[A-F0-9:.]+\]$/i;

/** Accepts the e-mail addresses that the server's framework accepts. */
export function isServerAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 0 || text.length > 320) return false;
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  if (!localPart.test(name) && !quotedLocalPart.test(name)) return false;
  const asciiHost = /^[^\0-\x7f]/u.test(host.replace(/[\w.-]+/g, "")) ? domainToASCII(host) : host;
  return host === "localhost" || domain.test(asciiHost) || addressLiteral.test(host);
}

/** Some hosts of disposable addresses. A server has a list of thousands. */
const disposableHosts = new Set(
  "10minutemail.com guerrillamail.com mailinator.com mailnator.com temp-mail.org trashmail.com yopmail.com".split(" "),
);

type AddressProblem = "disposable" | "plus" | "domain";

/** Why the organization does not accept an address; undefined if it does. */
export function addressProblem({ organization, domains }: SandboxState, address: string): AddressProblem | undefined {
  const at = address.lastIndexOf("@");
  const host = address.slice(at + 1).toLowerCase();
  const { emails_restricted_to_domains, disallow_disposable_email_addresses } = organization.settings;
  if (!emails_restricted_to_domains) {
    return disallow_disposable_email_addresses && disposableHosts.has(host) ? "disposable" : undefined;
  }
  if (address.slice(0, at).includes("+")) return "plus";
  const isAllowed = domains.some(
    (each) => each.domain === host || (each.allow_subdomains && host.endsWith(`.${each.domain}`)),
  );
  return isAllowed ? undefined : "domain";
}

export const accountWithAddress = ({ users }: SandboxState, address: string) =>
  [...users.values()].find(({ delivery_email }) => delivery_email.toLowerCase() === address.toLowerCase());

/** Checks the new address of an account. The rules about domains do not apply. */
export function checkNewAddress(state: SandboxState, address: string): void {
  if (!isServerAddress(address)) throw badRequest("Invalid new email address.");
  if (accountWithAddress(state, address)) throw badRequest("New email value error: Already has an account.");
}

export function checkAddress(state: SandboxState, address: string): void {
  if (!isServerAddress(address)) throw badRequest("Bad name or username");
  const problem = addressProblem(state, address);
  const refusals = {
    disposable: "Disposable email addresses are not allowed in this organization",
    plus: "Email addresses containing + are not allowed.",
    domain: `Email '${address}' not allowed in this organization`,
  };
  if (problem) throw badRequest(refusals[problem]);
  if (accountWithAddress(state, address)) throw badRequest("Email is already in use.");
}

/** The domain of bots' addresses: the host, or another name if the host is an IP address. */
export const botDomain = ({ organization: { host } }: SandboxState): string =>
  isServerAddress(`bot@${host}`) ? host : "sandbox.example";

/** Returns whether an active account has exactly this name. */
export const isNameTaken = ({ users }: SandboxState, name: string): boolean =>
  [...users.values()].some((each) => each.is_active && each.full_name === name);

/** Returns whether servers know the time zone. They know the names of the IANA database, in its case. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
