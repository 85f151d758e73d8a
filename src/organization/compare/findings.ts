/** Collects what a comparison finds besides differences. */
import { joinFirst } from "../../common/counted.ts";
import { nearestNames } from "../../common/suggestions.ts";
import { orList } from "../attribute-shapes.ts";
import type { Path } from "../content.ts";
import type { SectionName } from "../section-names.ts";
import type { ValidationError } from "../validate.ts";

/** A change that the server would refuse. One of these stops the plan. */
export interface Refusal {
  readonly section: SectionName;
  /** The name in the difference. */
  readonly name: string;
  readonly field?: string;
  /** Follows the name of the thing in the message. */
  readonly says: string;
  /** The required feature level. */
  readonly needs?: number;
}

/** An account that the file describes, and that is deactivated. No plan reactivates it unless the file says so. */
export interface Deactivated {
  readonly section: "people" | "bots";
  readonly name: string;
  readonly id?: number;
  /** A deleted account cannot be reactivated. */
  readonly deleted: boolean;
}

/** Information that changes nothing. */
export interface Notice {
  readonly path?: Path;
  readonly message: string;
}

/** Notices with the same words are one: of several people, it begins with their number. */
interface NoticeAbout {
  readonly names: Set<string>;
  readonly path: Path;
  /** What follows one name, and the names of several: `is invited`, `people are invited`. */
  readonly says: readonly [one: string, several: string];
}

const messageAbout = ({ names, says: [one, several] }: NoticeAbout): string =>
  names.size === 1 ? `${[...names][0]} ${one}` : `${names.size} ${several}: ${joinFirst([...names])}`;

export class Findings {
  readonly problems: ValidationError[] = [];
  readonly refused: Refusal[] = [];
  readonly deactivated: Deactivated[] = [];
  readonly #notices: (Notice | NoticeAbout)[] = [];

  problem(path: Path, message: string): undefined {
    this.problems.push({ path, message });
    return undefined;
  }

  /** Returns whether there is a problem with the whole entry. */
  isWrong(entry: Path): boolean {
    return this.problems.some(({ path }) => path.join() === entry.join());
  }

  refuse(refusal: Refusal): undefined {
    this.refused.push(refusal);
    return undefined;
  }

  /** Reports an attribute or value that requires a higher feature level, only once. */
  tooNew({ needs, ...refusal }: Omit<Refusal, "says"> & { needs: number }, has: number): void {
    const { section, field } = refusal;
    if (this.refused.some((one) => one.section === section && one.field === field && one.needs === needs)) return;
    const says = `${field} requires feature level ${needs}; this server has level ${has}`;
    this.refused.push({ ...refusal, needs, says });
  }

  notice(message: string, path?: Path): void {
    if (!this.#notices.some((notice) => "message" in notice && notice.message === message))
      this.#notices.push({ message, ...(path && { path }) });
  }

  noticeAbout(name: string, says: NoticeAbout["says"], path: Path): void {
    const same = this.#notices.find((notice) => "says" in notice && notice.says[0] === says[0]);
    if (same && "says" in same) same.names.add(name);
    else this.#notices.push({ names: new Set([name]), says, path });
  }

  get notices(): Notice[] {
    return this.#notices.map((one) => ("says" in one ? { path: one.path, message: messageAbout(one) } : one));
  }
}

/** Returns up to three similar names. Most addresses share a domain, so only the part before it says how much may differ. */
export const similarNamesOrAddresses = (word: string, names: readonly string[]): string[] =>
  nearestNames(word, names, Math.max(1, Math.min(3, Math.floor(word.replace(/@.*/, "").length / 3)))).slice(0, 3);

/** Returns `; did you mean a or b?`, or nothing if no name is similar. */
export function suggestion(word: string, names: readonly string[]): string {
  const similar = similarNamesOrAddresses(word, names);
  return similar.length ? `; did you mean ${orList(similar)}?` : "";
}
