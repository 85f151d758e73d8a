/** What records of `watch` are about, as `--only` names it. */
import { kinds as logged } from "../audit/words.ts";

export const kinds = [...logged, "profile_field", "folder", "invitation", "message"] as const;
export type Kind = (typeof kinds)[number];
