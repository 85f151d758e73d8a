/** Collects what a comparison finds besides differences. */
import { nearestNames } from "../../common/near.ts";
import type { Path } from "../content.ts";
import { orList, type ValidationError } from "../shape.ts";
import type { SectionName } from "../words.ts";

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
  /** The place in the file. */
  readonly path?: Path;
}

/** Information that changes nothing. */
export interface Notice {
  readonly path?: Path;
  readonly message: string;
}

export class Findings {
  readonly problems: ValidationError[] = [];
  readonly refused: Refusal[] = [];
  readonly notices: Notice[] = [];

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
    if (!this.notices.some((notice) => notice.message === message))
      this.notices.push({ message, ...(path && { path }) });
  }
}

/** Returns up to three similar names. Most addresses share a domain, so only the part before it says how much may differ. */
export const similarNames = (word: string, names: readonly string[]): string[] =>
  nearestNames(word, names, Math.max(1, Math.min(3, Math.floor(word.replace(/@.*/, "").length / 3)))).slice(0, 3);

/** Returns `; did you mean a or b?`, or nothing if no name is similar. */
export function suggestion(word: string, names: readonly string[]): string {
  const similar = similarNames(word, names);
  return similar.length ? `; did you mean ${orList(similar)}?` : "";
}
