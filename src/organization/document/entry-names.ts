/** How names of things stand in files: in any spelling of accents, and channels with `#`. */
import { nfc } from "../../common/folding.ts";
import { trimmed } from "../../notation/blanks.ts";
import { type Content, type FileEntry, isEntry } from "../content.ts";
import { thingSections } from "../section-registry.ts";

/** Members that name the thing, now or before. */
const nameMembers = ["name", "full_name", "was"] as const;

const signed = new WeakSet<FileEntry>();

/** Returns whether a channel of the file is written with `#`, as people write channels elsewhere. */
export const hasSign = (entry: FileEntry): boolean => signed.has(entry);

/** Returns a name of a channel in a file: `#design` is `design`, and `name:#design` has the sign in its name. */
const channelName = (text: string): string =>
  text.startsWith("#") ? trimmed(text.slice(1)) : text.replace(/^name:(?=#)/, "");

/** Writes a name of a channel as `channelName` reads it. */
export const writtenChannel = (name: string): string => (name.startsWith("#") ? `name:${name}` : name);

/** Brings the names of entries into the form in which they are sent. */
export function normalizeNames(content: Content): void {
  for (const section of thingSections)
    for (const entry of Array.isArray(content[section]) ? content[section] : []) {
      if (!isEntry(entry)) continue;
      for (const member of nameMembers) {
        const { [member]: value } = entry;
        if (typeof value !== "string") continue;
        const name = nfc(value);
        if (section === "channels" && member === "name" && name.startsWith("#")) signed.add(entry);
        const plain = section === "channels" ? channelName(name) : name;
        if (plain !== value) Reflect.set(entry, member, plain);
      }
    }
}
