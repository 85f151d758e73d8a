/** Questions of destructive verbs. */
import type { Server } from "../client/server.ts";
import { counted, joinFirst } from "../common/counted.ts";
import type { Question } from "../common/question.ts";
import { truncate } from "../common/truncate.ts";
import { quoted } from "../engine/change.ts";
import { Refused } from "../errors.ts";
import type { Context } from "../run/context.ts";

/** What the question says. The effects of the changes add what is lost. */
export interface DestructiveVerb {
  /** `Deactivate` */
  readonly verb: string;
  /** One of the things, and several. */
  readonly one: string;
  readonly many?: string;
  /** Reads the things and describes each. Called only if a person can be asked. */
  readonly describe?: (server: Server) => Promise<(readonly [id: number, description: string])[]>;
}

type AskedThing = number | string | { id?: number; typed: string };

/** Returns a thing as typed. */
export const typedOf = (thing: unknown): string =>
  typeof thing === "object" && thing !== null && "typed" in thing ? String(thing.typed) : String(thing);

export function destructiveQuestion(
  { verb, one, many }: DestructiveVerb,
  things: readonly AskedThing[],
  describe = (thing: AskedThing): string => quoted(typedOf(thing)),
): Question {
  const all = things.map(describe);
  if (all.length === 1) return { question: `${verb} ${one} ${all[0]}` };
  return { question: `${verb} ${counted(all.length, one, many)}`, consequence: `${joinFirst(all)}.` };
}

/** Makes the question with descriptions. If the server refuses to read them, it has none. */
export async function describedQuestion(
  loss: DestructiveVerb,
  things: readonly AskedThing[],
  { server }: Context,
): Promise<Question> {
  try {
    const known = new Map(await loss.describe!(await server()));
    const idOf = (thing: AskedThing) => (typeof thing === "object" ? thing.id : Number(thing));
    return destructiveQuestion(
      loss,
      things,
      (thing) => known.get(idOf(thing)!) ?? `${quoted(typedOf(thing))} (not found)`,
    );
  } catch (error) {
    if (error instanceof Refused) return destructiveQuestion(loss, things);
    throw error;
  }
}

export const deletion = (one: string, describe: DestructiveVerb["describe"]): DestructiveVerb => ({
  verb: "Delete",
  one,
  describe,
});

/** Returns a long text as one line of at most 60 characters. */
export const shortLine = (text: string): string => truncate(text.replace(/\s+/g, " ").trim(), 60);
