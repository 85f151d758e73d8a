/** What an export holds: the words of `--type`, and what servers call them. */
import { type DataExport, exportTypeNumbers } from "../../api/exports.ts";

/** The values for the newest servers. `wire` converts them for older ones. */
export const exportTypeWords = {
  public: "public",
  standard: "full_with_consent",
  full_without_consent: "full_without_consent",
} as const;
export const exportTypeNames = ["public", "standard", "full_without_consent"] as const;

/** Older servers send numbers. */
const exportNumbers = new Map<unknown, string>(Object.entries(exportTypeNumbers).map(([type, n]) => [n, type]));

/** Returns the word of `--type`, or an unknown type as the server calls it. */
export function exportTypeOf({ export_type: type }: DataExport): string | number | undefined {
  const word = exportNumbers.get(type) ?? type;
  return exportTypeNames.find((name) => exportTypeWords[name] === word) ?? word;
}
