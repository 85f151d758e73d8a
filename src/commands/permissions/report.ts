import { counted } from "../../common/counted.ts";
import { fileName } from "../../notation/file-name.ts";
import { changed } from "../../output/form.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import { size } from "../../output/when.ts";
import { permissionsReport } from "../../permissions/report/make-report.ts";
import { page } from "../../permissions/report/page.ts";
import { type Conclusion, type Context, requests } from "../../run/context.ts";
import { destinationOf, pathIn, type SavingFlags, saveText } from "../../run/saving.ts";
import { loadActivity } from "./findings.ts";
import { loadSnapshot } from "./load-evaluation.ts";

export async function saveReport(
  context: Context,
  flags: SavingFlags & { from?: string },
): Promise<Conclusion | undefined> {
  const destination = await destinationOf(context, flags);
  const snapshot = await loadSnapshot(context, flags.from, true);
  if (context.flags.dryRun) return requests([]);
  const activity = await loadActivity(context, snapshot);
  const { site, email, taken, feature_level } = snapshot;
  const [data, text] = context.world.signals.runBlocking(() => {
    const data = permissionsReport(snapshot, activity);
    return [data, page(data)] as const;
  });
  const name = fileName(`permissions-${new URL(site).host}.html`, "permissions.html");
  const path = await pathIn(context, destination, name);
  const saved = await saveText(context, text, { path, overwrite: destination.overwrite });
  if (!saved) return undefined;
  const [people = 0, bots = 0, channels = 0, groups = 0] = data.counts.map(({ count }) => count);
  const findings = data.findings.flatMap(({ severity, items }) => (severity === "info" ? [] : items)).length;
  const contents = [counted(people, "person", "people"), counted(channels, "channel"), counted(groups, "group")];
  const sentence = `Report on ${site} saved as ${saved.path} (${size(saved.size)}): ${contents.join(", ")}, ${counted(findings, "finding")} to look at.`;
  return changed(sanitizeLine(sentence), {
    ...{ file: saved.path, size: saved.size, taken, site, email, feature_level },
    ...{ people, bots, channels, groups, findings },
  });
}
