/** What a comparison finds besides differences, each thing as it is met. */
import { distance } from "fastest-levenshtein";
import type { Path } from "../content.ts";
import type { Misfit } from "../shape.ts";
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

  /** An attribute or value is too new for the server: said once, where it is first met. */
  tooNew({ needs, ...refusal }: Omit<Refusal, "says"> & { needs: number }, has: number): void {
    const { section, field } = refusal;
    if (this.refused.some((one) => one.section === section && one.field === field && one.needs === needs)) return;
    const says = `${field} requires feature level ${needs}; this server has level ${has}`;
    this.refused.push({ ...refusal, needs, says });
  }

  notice(says: string, path?: Path): void {
    if (!this.notices.some((notice) => notice.says === says)) this.notices.push({ says, ...(path && { path }) });
  }
}

/** At most three of the nearest names; none where all are far. */
export function nearest(word: string, names: readonly string[]): string[] {
  // Everybody has the domain of the house: what stands before it tells people apart.
  const allowed = Math.max(1, Math.min(3, Math.floor(word.replace(/@.*/, "").length / 3)));
  const near = names.flatMap((name) => {
    // Two words differ by what one is longer at least.
    if (Math.abs(name.length - word.length) > allowed) return [];
    const far = distance(word.toLowerCase(), name.toLowerCase());
    return far <= allowed ? [{ name, far }] : [];
  });
  const least = Math.min(...near.map(({ far }) => far));
  return near.flatMap(({ name, far }) => (far === least ? [name] : [])).slice(0, 3);
}

/** `; did you mean a or b?`, where there is something near. */
export function suggestion(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  const last = near.pop();
  return last === undefined ? "" : `; did you mean ${[near.join(", "), last].filter(Boolean).join(" or ")}?`;
}
