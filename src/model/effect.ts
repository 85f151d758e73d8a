/** What changes do to people and content: the kinds of effects, and their form as data. */
import type { Question } from "../common/question.ts";

export const effectKinds = [
  "access_lost",
  "removed",
  "last_reader",
  "list_emptied",
  "messages_deleted",
  "messages_opened",
  "topics_joined",
  "opened_to_all",
  "rights_given",
  "lockout",
  "key_replaced",
  "exported",
  "unknown",
] as const;
export type EffectKind = (typeof effectKinds)[number];

/** One effect of a change. */
export interface ChangeEffect {
  readonly kind: EffectKind;
  /** A phrase that follows "This" and "it". */
  readonly text: string;
  /** Nothing brings back what is lost. */
  readonly irreversible?: boolean;
  /** How many people lose or get something, and who, as far as it was read. */
  readonly people?: number;
  readonly who?: readonly number[];
  readonly messages?: number;
  /** What a question adds that names the change already, in sentences. By default the text. */
  readonly sentence?: string;
  /** It needs a confirmation. */
  readonly asks?: boolean;
  /** What is asked, if the text alone does not say it. */
  readonly question?: Question;
}

/** The largest number of ids in the data of an effect. */
const mostIds = 100;

/** Returns an effect as dry runs and plans print it. */
export const effectRecord = ({ kind, text, irreversible = false, people, who, messages }: ChangeEffect) => ({
  kind,
  mark: irreversible ? "!!" : "!",
  ...(people !== undefined && { people }),
  ...(who?.length && { who: who.slice(0, mostIds) }),
  ...(messages !== undefined && { messages }),
  ...(irreversible && { irreversible }),
  text,
});
