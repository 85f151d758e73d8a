import { counted } from "../../common/counted.ts";
import { fileName } from "../../notation/file-name.ts";
import { channelsOf, everybodyOf } from "../../organization/snapshot.ts";
import { changed } from "../../output/form.ts";
import { jsonText, sanitizeLine } from "../../output/sanitize.ts";
import { size } from "../../output/when.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { destinationOf, pathIn, type SavingFlags, saveText } from "../../run/saving.ts";
import { fetchSnapshot, showReads } from "./read.ts";

export async function saveSnapshot(context: Context, flags: SavingFlags): Promise<Conclusion | undefined> {
  const place = await destinationOf(context, flags);
  await showReads(context, true);
  const taken = await fetchSnapshot(context, { findings: true });
  const { site, email, feature_level, organization } = taken;
  const path = await pathIn(context, place, fileName(`organization-${new URL(site).host}.json`, "organization.json"));
  const text = `${jsonText(taken, 1)}\n`;
  const saved = await saveText(context, text, { path, overwrite: place.overwrite });
  if (!saved) return undefined;
  const people = everybodyOf(taken).filter(({ is_bot }) => !is_bot).length;
  const [channels, groups] = [channelsOf(taken).length, organization.realm_user_groups.length];
  const all = [counted(people, "person", "people"), counted(channels, "channel"), counted(groups, "group")].join(", ");
  return changed(sanitizeLine(`Snapshot of ${site} saved as ${saved.path} (${size(saved.size)}): ${all}.`), {
    ...{ file: saved.path, size: saved.size, taken: taken.taken, site, email, feature_level },
    ...{ people, channels, groups },
  });
}
