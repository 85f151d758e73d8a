/** A profile's key in place of the one that a server has made worthless: nothing that it is known by may get lost. */
import type { Secret, World } from "../world.ts";
import { keepSurely, type OwnPlace, samePlace } from "./keyplace.ts";
import { isOf, type Who } from "./login.ts";
import { edit } from "./profiles.ts";

const hint = "zulipctl fetch-key --profile <name> --store file keeps the key in a file of your own instead.";

/** Writes the present key once more to where it lies, and reads it back. Throws what would stand in the way of a new one. */
export const tryPlace = (world: World, place: OwnPlace, key: Secret): Promise<void> =>
  edit(world, () => keepSurely(world, place, key, hint));

interface Replaced {
  /** Profiles that have the new key: another process may have renamed one meanwhile. */
  profiles: string[];
  /** Profiles of the same account that keep the old key elsewhere. */
  others: string[];
}

/** Keeps the key in the place of the one before. */
export const replaceKey = (world: World, place: OwnPlace, who: Who, key: Secret): Promise<Replaced> =>
  edit(world, async ({ profiles }) => {
    const all = [...profiles];
    const named = all.filter(([, profile]) => samePlace(profile, place)).map(([name]) => name);
    if (!named.length) throw new Error("no profile keeps its key there");
    await keepSurely(world, place, key, hint);
    const others = all.filter(([name, profile]) => !named.includes(name) && isOf(profile, who));
    return { profiles: named, others: others.filter(([, { store }]) => store !== "command").map(([name]) => name) };
  });
