/** The kinds of things in records of `watch`, as `--only` names them. */
import { kinds as logged } from "../audit/words.ts";

export const kinds = [...logged, "profile_field", "folder", "invitation", "message"] as const;
export type Kind = (typeof kinds)[number];
