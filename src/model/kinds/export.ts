import type { Kind } from "./kind.ts";

export const exportKind = {
  one: "export",
  plural: "exports",
  noun: "export",
  key: ["id"],
  id: "id",
  read: { operation: "export.list", list: "exports" },
  create: ["export.create"],
  remove: { operation: "export.rm", lost: "the archive" },
  removalEffect: { says: "deletes the file" },
  watched: ["acting_user_id", "export_type", "pending", "failed_timestamp", "deleted_timestamp"],
  events: { realm_export: { whole: "exports" } },
  log: {
    id: "realm_export_id",
    rows: [
      [206, "created", "made export {target}"],
      [230, "deleted", "deleted export {target}"],
    ],
  },
  typedById: true,
} as const satisfies Kind;
