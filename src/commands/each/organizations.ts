/** Chooses the profiles for `each`: by default one for each organization. */

import { counted } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { findProfile, type ListedProfile, listProfiles } from "../../credentials/profiles.ts";
import { NeedsLogin, Usage } from "../../errors.ts";
import { programLine } from "../../output/line.ts";
import type { World } from "../../world/world.ts";

export interface ChosenProfile {
  profile: string;
  /** The organization. */
  site: string;
}

/** This machine has one name: `127.0.0.1` and `[::1]` are `localhost`. */
const organizationOf = ({ profile: { site } }: ListedProfile): string =>
  site.replace(/(?<=\/\/)(127\.0\.0\.1|\[::1\])(?=:|$)/, "localhost");

const chosen = (listed: ListedProfile): ChosenProfile => ({ profile: listed.name, site: organizationOf(listed) });

const byName = (one: ListedProfile, other: ListedProfile) => (one.name < other.name ? -1 : 1);

/** Returns one profile for each organization: the current one, else the first by name. `warn` names the others. */
async function oneEach(world: World, warn: (line: string) => Promise<void>): Promise<ChosenProfile[]> {
  const all = await listProfiles(world);
  if (!all.length)
    throw new NeedsLogin("no profiles found", { hint: "Create one with: zulipctl fetch-key --site <url>" });
  const kept: ListedProfile[] = [];
  for (const [site, same] of groupBy(all, organizationOf)) {
    const used = same.find(({ current }) => current) ?? same.toSorted(byName)[0]!;
    kept.push(used);
    const others = same.filter((each) => each !== used).map(({ name }) => name);
    if (others.length)
      await warn(
        programLine(`skipped ${others.join(", ")}: ${used.name} is for the same organization, ${new URL(site).host}`),
      );
  }
  return kept.map(chosen);
}

/** `list`: names of profiles, or `all`. `origin`: the flag. */
export async function chooseProfiles(
  world: World,
  { list, origin }: { list: string; origin: string },
  warn: (line: string) => Promise<void>,
): Promise<ChosenProfile[]> {
  if (list === "all") return oneEach(world, warn);
  const names = [...new Set(list.split(",").map((name) => name.trim()))];
  const found: ChosenProfile[] = [];
  for (const name of names) found.push(chosen(await findProfile(world, name, origin)));
  return found;
}

/** Throws `Usage` if two profiles are for one organization: it would get each change twice. */
export function requireDistinct(all: readonly ChosenProfile[]): void {
  for (const [site, same] of groupBy(all, (each) => each.site))
    if (same.length > 1)
      throw new Usage(
        `${same.map(({ profile }) => profile).join(" and ")} are profiles of one organization, ${new URL(site).host}: it would get each change ${same.length === 2 ? "twice" : counted(same.length, "time")}`,
        { hint: "Choose one of them with --profiles.", outcome: "not_sent" },
      );
}

/** Formats `3 of 4 organizations done`. `isDone`: whether nothing is left to do for a profile. */
export function doneLine<C extends ChosenProfile>(all: readonly C[], isDone: (one: C) => boolean): string {
  const organizations = [...groupBy(all, ({ site }) => site).values()];
  const done = organizations.filter((same) => same.every(isDone));
  return `${done.length} of ${counted(organizations.length, "organization")} done`;
}
