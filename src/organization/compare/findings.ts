/** What a comparison finds besides differences, each thing as it is met. */
import type { Misfit } from "../check.ts";
import type { Entry, Path } from "../content.ts";
import type { SectionName } from "../words.ts";

/** What the server would certainly refuse: nothing else is sent then. */
export interface Refusal {
  readonly section: SectionName;
  /** As `name` of a difference. */
  readonly name: string;
  readonly field?: string;
  /** Completes a sentence that begins with the thing. */
  readonly says: string;
  /** The feature level that would do. */
  readonly needs?: number;
  /** Of what stands in a file. */
  readonly path?: Path;
}

/** What is worth knowing and changes nothing. */
export interface Notice {
  readonly path?: Path;
  readonly says: string;
}

export class Findings {
  readonly problems: Misfit[] = [];
  readonly refused: Refusal[] = [];
  readonly notices: Notice[] = [];

  problem(path: Path, says: string): undefined {
    this.problems.push({ path, says });
    return undefined;
  }

  refuse(refusal: Refusal): undefined {
    this.refused.push(refusal);
    return undefined;
  }

  /** An attribute or value is too new for the server: told once, where it is first met. */
  lacks({ needs, ...refusal }: Omit<Refusal, "says"> & { needs: number }, has: number): void {
    const { section, field } = refusal;
    if (this.refused.some((one) => one.section === section && one.field === field && one.needs === needs)) return;
    this.refused.push({
      ...refusal,
      needs,
      says: `${field} requires feature level ${needs}; this server has level ${has}`,
    });
  }

  notice(says: string, path?: Path): void {
    if (!this.notices.some((notice) => notice.says === says)) this.notices.push({ says, ...(path && { path }) });
  }
}

/** An entry, and where it stands. */
export interface Placed {
  readonly entry: Entry;
  readonly path: Path;
}
