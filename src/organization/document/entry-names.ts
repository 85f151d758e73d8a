/** How names of things stand in files: in any spelling of accents, channels with `#`, and groups with `@`. */
import { nfc } from "../../common/folding.ts";
import { Usage } from "../../errors.ts";
import { trimmed } from "../../notation/blanks.ts";
import { mentionedChannel, mentionedGroup } from "../../notation/pasted-mentions.ts";
import { type Content, type FileEntry, isEntry, type Path } from "../content.ts";
import { thingSections } from "../section-registry.ts";

/** Members that name the thing, now or before. */
const nameMembers = ["name", "full_name", "was"] as const;

const signed = new WeakSet<FileEntry>();

/** Returns whether a channel of the file is written with `#`, as people write channels elsewhere. */
export const hasSign = (entry: FileEntry): boolean => signed.has(entry);

/** The signs with which people write names elsewhere. */
const signs: Readonly<Record<string, string>> = { channels: "#", groups: "@" };

/** Returns a name in a file: the channel `#design` is `design`, and `name:#design` has the sign in its name. */
function plainName(text: string, member: string, sign: string | undefined): string {
  if (sign === undefined) return text;
  const mentioned = sign === "#" ? mentionedChannel(text, member) : mentionedGroup(text);
  if (mentioned) return mentioned.name;
  if (text.startsWith(sign)) return trimmed(text.slice(1));
  return text.startsWith(`name:${sign}`) ? text.slice("name:".length) : text;
}

/** Writes a name as `plainName` reads it. */
export const writtenName = (section: string, name: string): string =>
  signs[section] !== undefined && name.startsWith(signs[section]) ? `name:${name}` : name;

/** Brings the names of entries into the form in which they are sent. `report`: what is no name, and where. */
export function normalizeNames(content: Content, report: (path: Path, message: string) => void): void {
  for (const section of thingSections)
    for (const [n, entry] of (Array.isArray(content[section]) ? content[section] : []).entries()) {
      if (!isEntry(entry)) continue;
      for (const member of nameMembers) {
        const { [member]: value } = entry;
        if (typeof value !== "string") continue;
        const name = nfc(value);
        if (section === "channels" && member === "name" && name.startsWith("#")) signed.add(entry);
        try {
          const plain = plainName(name, member, signs[section]);
          if (plain !== value) Reflect.set(entry, member, plain);
        } catch (error) {
          if (!(error instanceof Usage)) throw error;
          report([section, n, member], [error.message, error.details.hint].filter(Boolean).join(". "));
        }
      }
    }
}
