/** Masks secrets in URLs: user and password, and members of the query that are called like keys. */
import { isMapping } from "../common/object-members.ts";

const masked = "[secret]";

const url = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi;
const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i;
const secretMember = /passw(?:or)?d|passphrase|secret|token|signature|credential|(?:^|[_-])(?:key|sig|apikey|auth)$/i;

/** Words of a template are no secrets: `{code}`. */
const isTemplate = (value: string): boolean => /^(?:\{[^{}]*\}|%7B[^%]*%7D|\$\{[^{}]*\})$/i.test(value);

const withoutSecrets = (text: string): string =>
  text
    .replace(userInfo, (whole, scheme) => (isTemplate(whole.slice(scheme.length, -1)) ? whole : `${scheme}${masked}@`))
    .replace(/([?&;])([^=&#;]+)=([^&#;]+)/g, (whole, sign, name, value) =>
      secretMember.test(name) && !isTemplate(value) ? `${sign}${name}=${masked}` : whole,
    );

/** Returns a text with masked secrets of its URLs. */
export const maskUrls = (text: string): string => (text.includes("://") ? text.replace(url, withoutSecrets) : text);

function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]));
}

/** The same for all texts of a value. */
export const maskUrlsIn = <T>(value: T): T => mapTexts(value, maskUrls);

const maskedUrl = /:\/\/[^\s"'<>`]*\[secret\]/;

/** Returns whether a value has a masked secret: it must not be sent. */
export function hasMasked(value: unknown): boolean {
  let found = false;
  mapTexts(value, (text) => {
    found ||= text.includes(masked) && maskedUrl.test(text);
    return text;
  });
  return found;
}
