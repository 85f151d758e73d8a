/** Folders, profile fields, linkifiers, domains and playgrounds. */
import type { Difference, Reordering } from "../difference.ts";
import { type OrderContext, whole } from "./context.ts";
import { domains } from "./domains.ts";
import type { Draft } from "./draft.ts";
import { folders } from "./folders.ts";
import { linkifiers } from "./linkifiers.ts";
import { playgrounds } from "./playgrounds.ts";
import { profileFields } from "./profile-fields.ts";
import type { Collection, Way } from "./way.ts";

const ways: Readonly<Record<Collection, Way>> = {
  folders,
  profile_fields: profileFields,
  linkifiers,
  domains,
  playgrounds,
};

function reorderDraft({ ids }: OrderContext, of: number, { section, to }: Reordering, way: Way): Draft[] {
  return [
    whole({
      of,
      part: "order",
      ...way.reorder!(ids.all(section, to)),
      does: "put in order",
      needs: [`${section} are gone`],
      follows: [`${section} are made`],
    }),
  ];
}

export function collectionDrafts(
  context: OrderContext,
  of: number,
  difference: Difference & { section: Collection },
): Draft[] {
  const way = ways[difference.section];
  switch (difference.action) {
    case "create":
    case "invite":
      return way.create(context, of, difference);
    case "remove":
      return way.remove!(context, of, difference);
    case "reorder":
      return reorderDraft(context, of, difference, way);
    default:
      return way.update(context, of, difference);
  }
}
