import { strip } from "../common/folding.ts";

/** Returns the name of an emoji as servers store it: without outer blanks, and with `_` for inner ones. */
export const storedEmojiName = (typed: string): string => strip(typed).replaceAll(" ", "_");
