import { type Upload, uploadsOf } from "../../audit/activity.ts";
import { momentOf } from "../../notation/time.ts";
import type { Column, Listing } from "../../output/form.ts";
import { size, when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { sourceOf } from "./source.ts";

interface Options {
  from?: string;
  largerThan?: number;
  by?: string;
  olderThan?: string;
}

const columns: Column<Upload>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "NAME", value: ({ name }) => name, importance: "high" },
  { head: "OWNER", value: ({ owner }) => owner?.email },
  { head: "SIZE", value: (upload) => size(upload.size), align: "right", importance: "high" },
  { head: "CREATED", value: ({ created }) => when(Date.parse(created)) },
];

/** The largest first. */
export async function uploads(context: Context, options: Options): Promise<Listing<Upload>> {
  const { world } = context;
  const { largerThan, by, olderThan } = options;
  const before = olderThan === undefined ? undefined : momentOf(world.clock.now(), olderThan, "--older-than") * 1000;
  const wanted = by?.replace(/^(name:|id:)/, "").toLowerCase();
  const all = await uploadsOf(world.files, await sourceOf(context, options.from));
  const records = all
    .filter(
      ({ size, owner, created }) =>
        (largerThan === undefined || size > largerThan) &&
        (before === undefined || Date.parse(created) < before) &&
        (wanted === undefined ||
          (owner && [String(owner.id), owner.email.toLowerCase(), owner.name.toLowerCase()].includes(wanted))),
    )
    .sort((a, b) => b.size - a.size || a.id - b.id);
  return {
    kind: "listing",
    records,
    columns,
    id: "id",
    note: "A public export holds uploads of public channels only.",
  };
}
