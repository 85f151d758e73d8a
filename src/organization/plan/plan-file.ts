/** A plan file: the desired state, the differences, the organization, and a digest of the file itself. */
import { createHash } from "node:crypto";
import { Usage } from "../../errors.ts";
import { hasMasked, maskUrlsIn } from "../../notation/url-secrets.ts";
import type { Content } from "../content.ts";
import type { Difference } from "../difference.ts";
import { planFormat } from "../section-names.ts";
import { beginsLike, readFormat, type Snapshot } from "../snapshot.ts";

const version = 2;

export interface PlanFile {
  /** When the organization was read, as ISO 8601. */
  readonly taken: string;
  readonly site: string;
  readonly email: string;
  readonly feature_level: number;
  readonly changes: readonly Difference[];
  /** The desired state. `org apply` compares it again. */
  readonly content: Content;
  readonly prune: boolean;
  readonly digest: string;
}

const digestOf = (content: string): string => `sha256:${createHash("sha256").update(content).digest("hex")}`;

/** Returns the text of a plan file. */
export function planFileText(
  { taken, site, email, feature_level }: Snapshot,
  { changes, content, prune }: Pick<PlanFile, "changes" | "content" | "prune">,
): string {
  const planned = changes.map(({ effects: _, ...change }) => change);
  const about = { format: planFormat, version, taken, site, email, feature_level };
  const plan = maskUrlsIn({ ...about, changes: planned, prune, content });
  return `${JSON.stringify({ ...plan, digest: digestOf(JSON.stringify(plan)) }, null, 1)}\n`;
}

/** Returns whether a text begins like a plan file, complete or not. */
export const isPlan = (text: string): boolean => beginsLike(planFormat, text);

/** Reads a plan file. Throws `Usage` if it is invalid, changed, or of another version. */
export function readPlan(text: string, path: string): PlanFile {
  const hint = "Create one with: zulipctl org plan organization.yaml --out plan.json";
  const saved = readFormat(text, path, { format: planFormat, version, a: "a plan", hint }) as PlanFile;
  const { digest, ...plan } = saved;
  if (digest !== digestOf(JSON.stringify(plan)))
    throw new Usage(`${path} was changed after it was made: its digest does not match`, { hint: "Plan again." });
  if (hasMasked(saved.content))
    throw new Usage(`${path} was made of files that have a URL with a secret, and plans do not keep secrets`, {
      outcome: "not_sent",
      hint: "Apply the files instead.",
    });
  return saved;
}
