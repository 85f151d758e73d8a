import { createFolder, reorderFolders, updateFolder } from "../../api/folders.ts";
import type { FieldChange } from "../difference.ts";
import { whole } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";
import { nameFact } from "./names.ts";
import { renamed, setAside } from "./renaming.ts";
import { inTurn, type Way } from "./way.ts";

/** Not one transaction: each attribute goes by itself. */
export const folders: Way = {
  create: (context, of, { name, to }) => [
    whole({
      of,
      part: "create",
      operation: createFolder,
      args: { name: to.name ?? name, description: to.description ?? "" },
      fields: Object.keys(to),
      does: "created",
      makes: { member: "channel_folder_id", id: context.ids.of(of) },
      ...inTurn(context, "folders", of, { needs: [nameFact("folders", to.name ?? name)] }),
    }),
  ],
  update: (context, of, { id, action, fields }) => {
    const thing = { section: "folders", id } as const;
    const one = { of, operation: updateFolder };
    const about = `folder ${id}`;
    const change = ({ field, from, to }: FieldChange): Draft =>
      whole({
        ...one,
        part: field,
        args: { channel_folder_id: id, [field]: to },
        fields: [field],
        ...(field === "name" && renamed(context, of, thing, { from, to })),
      });
    const put = (part: string, is_archived: boolean, facts: Facts): Draft =>
      whole({
        ...one,
        part,
        args: { channel_folder_id: id, is_archived },
        fields: ["archived"],
        does: `${part}d`,
        ...facts,
      });
    return [
      ...setAside(context, of, thing, fields.find(({ field }) => field === "name")?.from, (name) => ({
        operation: updateFolder,
        args: { channel_folder_id: id, name },
      })),
      ...fields.filter(({ field }) => field !== "archived").map(change),
      ...(action === "unarchive" ? [put("unarchive", false, { provides: [`${about} is in use`] })] : []),
      ...(action === "archive"
        ? [put("archive", true, { needs: [`${about} was left`], follows: [`${about} was named`] })]
        : []),
    ];
  },
  reorder: (order) => ({ operation: reorderFolders, args: { order } }),
};
