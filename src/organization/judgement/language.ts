/** The default language of code blocks, which goes with a playground of it: a run that removes one puts it back. */
import type { Snapshot } from "../snapshot.ts";
import type { MadeSoFar } from "./verdict.ts";

/** Whether an earlier run has removed the playground and was over before the language was put back. */
export const wasEmptied = ({ organization }: Snapshot, { emptied }: Pick<MadeSoFar, "emptied">): boolean =>
  emptied.size > 0 &&
  (organization as { realm_default_code_block_language?: string }).realm_default_code_block_language === "";

/** The organization with the language that the run itself has taken from it. */
export function asItWas(snapshot: Snapshot, made: Pick<MadeSoFar, "emptied">): Snapshot {
  if (!wasEmptied(snapshot, made)) return snapshot;
  const [language] = made.emptied.values();
  return { ...snapshot, organization: { ...snapshot.organization, realm_default_code_block_language: language } };
}
