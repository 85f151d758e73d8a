/** What runs have made, and what others have done with it since. */
import { type Claim, claimOf, type Ledger, standing, type Write } from "./ledger.ts";
import type { Ran } from "./machine.ts";
import { thingOf } from "./view.ts";

/** By kind, what every thing has. */
const always: Readonly<Record<string, string>> = {
  ...{ channel: "name", group: "name", folder: "name", user: "full_name", field: "name", message: "stream_id" },
  ...{ linkifier: "url_template", playground: "url_template", domain: "allow_subdomains", draft: "type" },
  // Somebody else's of the same name is another one.
  ...{ emoji: "by", invitation: "by" },
};

/** Returns the key that a thing has as long as it is there. */
export const keyOf = (thing: string): string => `${thing}|${always[thing.split(" ")[0] ?? ""]}`;

const ends: Readonly<Record<string, string>> = { is_archived: "true", deactivated: "true", is_active: "false" };

/** Whether a key says that a thing is there, and in use. */
export function tells(key: string): boolean {
  const [thing = "", name = ""] = key.split("|");
  return Object.hasOwn(ends, name) || always[thing.split(" ")[0] ?? ""] === name;
}

export class Things {
  readonly #made = new Map<string, boolean>();

  constructor(
    /** The id of the account that runs undos. */
    private readonly owner: number,
    private readonly ledger: Ledger,
    private readonly runs: readonly Ran[],
    private readonly undo: Ran,
    private readonly until: number,
  ) {}

  #known = (write: Write): boolean => write.by !== this.undo && write.at <= this.until;

  #isOwn = ({ by }: Write): boolean => this.runs.includes(by as Ran);

  #claimOf(thing: string): Claim | undefined {
    const key = keyOf(thing);
    return claimOf(standing(this.ledger.of(key).filter(this.#known)), this.runs);
  }

  /** Whether it was taken away, and somebody else has made it again since. */
  isMadeAgain(thing: string): boolean {
    const key = keyOf(thing);
    const last = this.ledger.of(key).findLast((write) => this.#known(write) && write.from === undefined);
    // Domains have no ids: nobody can tell them apart.
    return this.#claimOf(thing)?.isTaken === true || (last?.by === "other" && !thing.startsWith("domain "));
  }

  /** Whether the runs made it. */
  isMade(thing: string): boolean {
    const found = this.#made.get(thing);
    if (found !== undefined) return found;
    const claim = this.#claimOf(thing);
    // Its first value is by the runs, whoever has changed it since.
    const isMade = claim !== undefined && claim.back === undefined;
    this.#made.set(thing, isMade);
    return isMade;
  }

  /** Whether it is there and in use after the undo. */
  isInUse(thing: string): boolean {
    const currentOf = (name = "") => this.ledger.valueAt(`${thing}|${name}`, this.undo.to);
    const name = always[thing.split(" ")[0] ?? ""];
    const last = this.ledger.of(`${thing}|${name}`).findLast(this.#isOwn);
    if (currentOf(name) === undefined || (name === "by" && currentOf(name) !== last?.to)) return false;
    return Object.entries(ends).every(([name, end]) => currentOf(name) !== end);
  }

  /** Whether it does not exist any more after the undo. Invitations are used and run out, and emoji are deactivated. */
  isGone(thing: string): boolean {
    const kind = thing.split(" ")[0] ?? "";
    return (
      kind !== "invitation" &&
      kind !== "emoji" &&
      this.ledger.valueAt(`${thing}|${always[kind]}`, this.undo.to) === undefined
    );
  }

  /** Whether something of it is by others, and still there. */
  isUsed(thing: string): boolean {
    const [kind, id = ""] = thing.split(" ");
    // The runs need not have stated its other values. Whoever takes it back may be in it.
    const isAbout = (key: string, to: string | undefined) =>
      (thingOf(key) === thing &&
        !key.endsWith(`|subscriber ${this.owner}`) &&
        /\|(name|subscriber \d+|member \d+|subgroup \d+)$/.test(key) &&
        to !== undefined) ||
      (kind === "channel" && key.startsWith("message ") && key.endsWith("|stream_id") && to === id) ||
      (kind === "folder" && key.endsWith("|folder_id") && to === id) ||
      (kind === "field" && key.startsWith("user ") && key.endsWith(`|field ${id}`) && to !== undefined);
    const keys = new Set(this.ledger.writes.flatMap(({ key, to }) => (isAbout(key, to) ? [key] : [])));
    return [...keys].some((key) => {
      const { stack } = standing(this.ledger.of(key).filter(this.#known));
      return stack.some((write) => !this.#isOwn(write) && isAbout(key, write.to) && write.at > this.#began(thing));
    });
  }

  /** Whether others have put channels into a folder. */
  hasChannels(folder: string): boolean {
    const [, id] = folder.split(" ");
    const keys = new Set(this.ledger.writes.flatMap(({ key }) => (key.endsWith("|folder_id") ? [key] : [])));
    return [...keys].some((key) => {
      const last = this.ledger.of(key).findLast(this.#known);
      return last !== undefined && last.to === id && !this.#isOwn(last);
    });
  }

  #began(thing: string): number {
    return this.ledger.writes.find((write) => thingOf(write.key) === thing && this.#isOwn(write))?.at ?? 0;
  }

  /** A person whom the runs created stays in the lists of the deactivated account. */
  staysInList(key: string): boolean {
    const [, id] = /\|(?:subscriber|member) (\d+)$/.exec(key) ?? [];
    return id !== undefined && this.isMade(`user ${id}`);
  }

  /** Values of people go with a profile field that the runs removed. */
  wentWithField(key: string): boolean {
    const [, field] = key.split("|field ");
    const isRemoval = (write: Write) => thingOf(write.key) === `field ${field}` && write.to === undefined;
    return field !== undefined && this.ledger.writes.some((write) => isRemoval(write) && this.#isOwn(write));
  }

  /** Invitations go with the account that made them. Plans say that they do not come back. */
  isRevoked(key: string): boolean {
    if (!key.startsWith("invitation ")) return false;
    const last = this.ledger.of(key).findLast(this.#isOwn);
    return this.ledger.writes.some(
      ({ at, key, to }) => at === last?.at && /^user \d+\|is_active$/.test(key) && to === "false",
    );
  }

  /** What goes with a thing that the runs made. */
  isBeside(key: string): boolean {
    return key.startsWith("orders|") || (key.includes("|field ") && this.isMade(`field ${key.split("|field ")[1]}`));
  }
}
