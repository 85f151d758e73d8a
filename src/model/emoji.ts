import { strip } from "../common/folding.ts";

/** Returns the name of an emoji as servers take it: without outer blanks, with `_` for inner ones, in small letters. */
export const storedEmojiName = (typed: string): string => strip(typed).replaceAll(" ", "_").toLowerCase();
