import { listProfiles, removeProfile } from "../../credentials/profiles.ts";
import { siteOf } from "../../credentials/site.ts";
import { forgetNames } from "../../resolve/kept-names.ts";
import type { World } from "../../world.ts";

/** With its key, and with the names that completion knows of its account where no other profile has it; as `removeProfile`. */
export async function remove(world: World, name: string, given: string): Promise<string[]> {
  const all = await listProfiles(world);
  const left = await removeProfile(world, name, given);
  const gone = all.find((listed) => listed.name === name)?.profile;
  const same = all.filter(({ profile }) => profile.site === gone?.site && profile.email === gone.email);
  // What cannot be removed now goes when it is old.
  if (gone && same.length === 1)
    await forgetNames(world, { ...gone, site: siteOf(gone.site, "") }).catch(() => undefined);
  return left;
}
