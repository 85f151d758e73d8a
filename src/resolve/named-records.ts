/** Finds the record that a name means. An ambiguous name is a usage error with candidates. */

import type { Channel } from "../api/channels.ts";
import type { Folder } from "../api/folders.ts";
import type { Group } from "../api/groups.ts";
import type { ProfileField } from "../api/profile-fields.ts";
import { accountState, type User, userAddress } from "../api/users.ts";
import { foldChannelName, foldFolderName, nfc, upper } from "../common/folding.ts";
import { groupBy } from "../common/group-by.ts";
import { similarNames } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import { trimmed } from "../notation/blanks.ts";
import type { Origin } from "../notation/id.ts";
import { listFileHint, notFoundMessage } from "../notation/references.ts";
import { programLine } from "../output/line.ts";

interface ResourceKind<T> {
  noun: string;
  /** The command that lists them. */
  list: string;
  id: (record: T) => number;
  name: (record: T) => string;
  /** Archived or deactivated records are found only if no other one has the name. */
  state?: (record: T) => string | false | undefined;
  /** A note after the id in a list of candidates. */
  remark?: (record: T) => string | undefined;
  /** Returns the same for names that find each other. */
  fold: (name: string) => string;
  /** Servers distinguish case in these names, so an exact match comes first. */
  caseMatters?: boolean;
}

/** Options of a look-up. */
export interface LookUpOptions {
  /** Prefers archived and deactivated records, to restore them. */
  restores?: boolean | undefined;
  /** Receives a note when another spelling was accepted. */
  note?: ((line: string) => Promise<void>) | undefined;
}

const most = 10;

/** Shown as it can be typed: `#design` is another channel. */
const typedName = (noun: string, name: string): string =>
  noun === "channel" && name.startsWith("#") ? `name:${name}` : name;

const recordText = <T>({ noun, id, name, state, remark }: ResourceKind<T>, record: T): string =>
  `${typedName(noun, name(record))} (${[id(record), remark?.(record), state?.(record)].filter(Boolean).join(", ")})`;

function candidates<T>(kind: ResourceKind<T>, records: readonly T[]) {
  const { id, name } = kind;
  const shown = records.slice(0, most);
  const others = records.length - shown.length;
  return {
    words: shown.map((record) => recordText(kind, record)).join(", ") + (others > 0 ? ` and ${others} others` : ""),
    records: shown.map((record) => ({ id: id(record), name: name(record) })),
  };
}

/** Returns the records that pass, or all if none does. */
function preferred<T>(records: readonly T[], test: (record: T) => boolean): readonly T[] {
  const some = records.filter(test);
  return some.length ? some : records;
}

/** The records of one look-up, by name. */
export class NamedRecords<T> {
  // A long batch looks up a name in every row. Each index is made on first use: of many people it is large.
  #byName: ReadonlyMap<string, readonly T[]> | undefined;
  #byId: ReadonlyMap<number, T> | undefined;

  constructor(
    private readonly kind: ResourceKind<T>,
    /** All records, in the server's order. */
    readonly records: readonly T[],
  ) {}

  /** Returns the records with this name. */
  named(typed: string): readonly T[] {
    const { fold, name } = this.kind;
    this.#byName ??= groupBy(this.records, (record) => fold(nfc(name(record))));
    return this.#byName.get(fold(nfc(typed))) ?? [];
  }

  has(typed: string): boolean {
    return this.named(typed).length > 0;
  }

  withId(id: number): T | undefined {
    this.#byId ??= new Map(this.records.map((record) => [this.kind.id(record), record]));
    return this.#byId.get(id);
  }

  /** Returns the name of an id. */
  nameOf(id: number): string | undefined {
    const record = this.withId(id);
    return record === undefined ? undefined : this.kind.name(record);
  }

  #similar(typed: string): T[] {
    const { name } = this.kind;
    const similar = new Set(similarNames(typed, this.records.map(name)));
    return [...similar].flatMap((each) => this.records.filter((record) => name(record) === each));
  }

  /** Returns `Did you mean: Ada Lovelace (12)?`. Undefined if no name is similar. */
  suggestion(typed: string): string | undefined {
    const close = this.#similar(typed);
    return close.length ? `Did you mean: ${candidates(this.kind, close).words}?` : undefined;
  }

  /**
   * Returns what digits mean: the id, or in data the record with this name if none has the id. Throws `Usage` if they are
   * the name of one record and the id of another.
   */
  async idOfDigits(
    digits: string,
    typedId: number,
    flag: string,
    origin: Origin,
    search?: LookUpOptions,
  ): Promise<number> {
    const { noun, id } = this.kind;
    const others = this.named(digits).filter((record) => id(record) !== typedId);
    if (!others.length) return typedId;
    const named = `"${digits}" is the name of ${noun} ${others.map(id).join(", ")}`;
    const name = this.nameOf(typedId);
    if (name !== undefined)
      throw new Usage(`${flag}: ${named} and the id of ${noun} "${name}": write name:${digits} or id:${digits}`, {
        more: { candidates: candidates(this.kind, others).records.concat({ id: typedId, name }) },
      });
    if (origin === "data") return this.id(digits, flag, search);
    throw new Usage(`${flag}: ${named}, and no ${noun} has this id: write name:${digits}`);
  }

  /** Returns the id of the one record with the name. Throws `Usage` if none or several have it. */
  async id(typed: string, flag: string, { restores = false, note }: LookUpOptions = {}): Promise<number> {
    const { noun, list, id, name, state, caseMatters } = this.kind;
    const alike = this.named(typed);
    const spelled = (record: T) => nfc(name(record)) === nfc(typed);
    const inState = (record: T) => Boolean(state?.(record)) === restores;
    const tests = caseMatters && !restores ? [spelled, inState] : [inState, spelled];
    const found = tests.reduce<readonly T[]>(preferred, alike);
    const [only, another] = found;
    if (only !== undefined && another === undefined) {
      if (alike.length > 1 && !spelled(only)) {
        const others = alike.filter((record) => record !== only);
        await note?.(
          programLine(
            `${flag}: "${typed}" is taken as ${noun} ${recordText(this.kind, only)}, not ${candidates(this.kind, others).words}`,
          ),
        );
      }
      return id(only);
    }
    if (found.length) {
      const { words, records } = candidates(this.kind, found);
      throw new Usage(`${flag}: "${typed}" matches several ${noun}s: ${words}`, {
        hint: `${new Set(found.map((record) => nfc(name(record)))).size === 1 && new Set(found.map(name)).size > 1 ? "They look alike: only the spelling of accents differs. " : ""}Pass the id of the one you mean.`,
        more: { candidates: records },
      });
    }
    const close = this.#similar(typed);
    // A few candidates are listed, many would hide the message.
    const all = this.records.length <= most ? this.records : [];
    const { words, records } = candidates(this.kind, close.length ? close : all);
    const listHint = `List them with: ${list}`;
    // A group's name can begin with @, so <group> reads no file.
    const fromFile = flag === "<group>" ? undefined : listFileHint(typed);
    throw new Usage(`${flag}: ${notFoundMessage(noun, typed)}`, {
      hint: fromFile ?? (close.length ? `Did you mean: ${words}?` : words ? `Available: ${words}.` : listHint),
      more: { candidates: records },
    });
  }
}

/** Throws `Usage` if `#design` is the name of a channel, and means another one too. */
export function checkSign(all: NamedRecords<Channel>, text: string, flag: string): void {
  const typed = trimmed(text);
  const bare = typed.slice(1);
  const [one, other] = [all.named(typed)[0], all.named(bare)[0]];
  if (!one || !other) return;
  throw new Usage(
    `${flag}: "${typed}" is the name of channel ${one.stream_id}, and means channel "${other.name}" (${other.stream_id}) too: write name:${typed} or ${bare}`,
    { more: { candidates: candidates(channelResource, [one, other]).records } },
  );
}

export const channelResource: ResourceKind<Channel> = {
  noun: "channel",
  list: "zulipctl channel list --archived",
  id: ({ stream_id }) => stream_id,
  name: ({ name }) => name,
  state: ({ is_archived }) => is_archived && "archived",
  fold: foldChannelName,
};
export const groupResource: ResourceKind<Group> = {
  noun: "group",
  list: "zulipctl group list --system --deactivated",
  id: ({ id }) => id,
  name: ({ name }) => name,
  state: ({ deactivated }) => deactivated && "deactivated",
  fold: upper,
  caseMatters: true,
};
export const folderResource: ResourceKind<Folder> = {
  noun: "folder",
  list: "zulipctl folder list --archived",
  id: ({ id }) => id,
  name: ({ name }) => name,
  state: ({ is_archived }) => is_archived && "archived",
  fold: foldFolderName,
};
export const userResource: ResourceKind<User> = {
  noun: "user",
  list: "zulipctl users list",
  id: ({ user_id }) => user_id,
  name: ({ full_name }) => full_name,
  state: (user) => user.is_active === false && accountState(user),
  remark: userAddress,
  fold: String,
};

export const profileFieldResource: ResourceKind<ProfileField> = {
  noun: "profile field",
  list: "zulipctl api GET realm/profile_fields",
  id: ({ id }) => id,
  name: ({ name }) => name,
  fold: upper,
};

/** By the real address, if the account can see it. */
export const byAddress: ResourceKind<User> = {
  ...userResource,
  name: ({ delivery_email, email }) => delivery_email ?? email,
  remark: ({ full_name }) => full_name,
  fold: upper,
};
/** By the placeholder address. */
export const byPlaceholder: ResourceKind<User> = { ...byAddress, name: ({ email }) => email };
