import { createFolder, reorderFolders, updateFolder } from "../../api/folders.ts";
import { foldFolderName } from "../../folding.ts";
import { type Draft, phases } from "../order/draft.ts";
import { nameFact, renamed, setAside } from "../order/names.ts";
import { creating, type Requests } from "../order/requests.ts";
import { filled } from "../shape.ts";
import type { Snapshot } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

type Folder = NonNullable<Snapshot["channel_folders"]>[number];

/** Not one transaction: each attribute goes by itself. */
const requests: Requests = {
  create: ({ ids }, of, { name, to }) => [
    {
      ...creating,
      of,
      operation: createFolder,
      args: { name: to.name ?? name, description: to.description ?? "" },
      fields: Object.keys(to),
      does: "created",
      makes: { member: "channel_folder_id", id: ids.of(of) },
      needs: [nameFact("folders", to.name ?? name)],
      provides: [`${ids.of(of)} is made`],
    },
  ],
  update: (context, of, { id, action, fields }) => {
    const thing = { section: "folders", id } as const;
    const one = { of, operation: updateFolder };
    const drafts: Draft[] = [
      ...setAside(context, of, thing, fields.find(({ field }) => field === "name")?.from, (name) => ({
        ...one,
        phase: phases.collections,
        args: { channel_folder_id: id, name },
      })),
      ...fields
        .filter(({ field }) => field !== "archived")
        .map(
          ({ field, from, to }): Draft => ({
            ...one,
            part: field,
            phase: phases.collections,
            args: { channel_folder_id: id, [field]: to },
            fields: [field],
            ...(field === "name" && renamed(context, of, thing, { from, to })),
          }),
        ),
    ];
    if (action === "archive" || action === "unarchive")
      drafts.push({
        ...one,
        part: action,
        phase: action === "archive" ? phases.removals + 0.1 : phases.collections,
        args: { channel_folder_id: id, is_archived: action === "archive" },
        fields: ["archived"],
        does: `${action}d`,
        ...(action === "unarchive" && { provides: [`folder ${id} is in use`] }),
      });
    return drafts;
  },
  reorder: (order) => ({ operation: reorderFolders, args: { order } }),
};

export const folders: Things<Folder> = {
  doc: "Channel folders, in their order.",
  holds: "things",
  one: "folder",
  called: "folders",
  key: ["name"],
  fold: foldFolderName,
  ordered: reorderFolders.since ?? 0,
  complete: true,
  away: { member: "archived", away: true, puts: "archive", brings: "unarchive" },
  members: {
    name: { shape: filled, doc: "The name.", needed: true, since: updateFolder.since },
    ...pinned,
    ...attributesOf(updateFolder, {
      without: ["channel_folder_id", "name"],
      as: { is_archived: "archived" },
      more: { archived: { doc: "true archives the folder, false unarchives it." } },
    }),
  },
  records: ({ channel_folders }) => channel_folders ?? [],
  put: (snapshot, records) => ({ ...snapshot, channel_folders: snapshot.channel_folders && [...records] }),
  id: ({ id }) => id,
  awayIn:
    () =>
    ({ is_archived }) =>
      is_archived,
  attributes: () => ({ archived: () => undefined }),
  fresh: { description: "", is_archived: false },
  requests,
};
