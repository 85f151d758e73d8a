/** Command lines with masked secrets. */
import { Redactor } from "../client/redactor.ts";
import { commandLine } from "../common/shell-words.ts";
import { truncate } from "../common/truncate.ts";
import { isSecretName } from "../notation/name.ts";
import { maskUrls } from "../notation/url-secrets.ts";

/** The largest number of characters of a command line. Each row of a batch repeats it. */
const maxCommandLength = 4000;

/** Masks `password=…`: the name of the parameter says that it is secret. */
const withoutNamed = (word: string): string =>
  word.replace(/^(--?[\w-]+=)?([\w -]+)=.+$/s, (whole, flag = "", name) =>
    isSecretName(name) ? `${flag}${name}=[secret]` : whole,
  );

/** Masks a short secret only where it is the whole value: other words may contain it by chance. */
function withoutShort(word: string, secret: string): string {
  if (secret === "" || secret.length > 4) return word;
  if (word === secret) return "[secret]";
  return word.endsWith(`=${secret}`) ? `${word.slice(0, -secret.length)}[secret]` : word;
}

/** Formats a command line with masked secrets. */
export function maskedLine(argv: readonly string[], secrets: readonly string[], most = maxCommandLength): string {
  const redactor = new Redactor(secrets);
  const line = commandLine(argv.map((word) => redactor.text(secrets.reduce(withoutShort, withoutNamed(word)))));
  return truncate(maskUrls(line), most);
}
