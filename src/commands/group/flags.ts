/** By parameter of a membership change, the flags that stand for it. */
export const memberFlags = {
  add: "--add",
  delete: "--delete",
  add_subgroups: "--add-subgroups",
  delete_subgroups: "--delete-subgroups",
} as const;
