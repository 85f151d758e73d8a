/** Questions before a destructive change. */
import { groupBy } from "./group-by.ts";

export interface Question {
  /** `Archive channel "design"`. */
  readonly question: string;
  /** The effects, in sentences: `41 subscribers lose access.` */
  readonly consequence?: string | undefined;
  /** The preposition before the organization. */
  readonly preposition?: "on" | "to";
}

/** The organization, and its profile. */
export interface OrganizationName {
  readonly host: string;
  readonly profile?: string | undefined;
}

/** `chat.example.com (profile prod)`. */
export const organizationText = ({ host, profile }: OrganizationName): string =>
  `${host}${profile === undefined ? "" : ` (profile ${profile})`}`;

/** `Archive channel "design" on chat.example.com (profile prod)? 41 subscribers lose access.` */
export const questionText = (
  { question, consequence, preposition = "on" }: Question,
  organization: OrganizationName,
): string => `${question} ${preposition} ${organizationText(organization)}?${consequence ? ` ${consequence}` : ""}`;

/** Joins several questions without repetitions. */
export function joinQuestions(questions: readonly Question[]): Question {
  const all = (part: (question: Question) => string | undefined) => [
    ...new Set(questions.flatMap((each) => part(each) ?? [])),
  ];
  return {
    question: all(({ question }) => question).join("; "),
    consequence: all(({ consequence }) => consequence).join(" "),
  };
}

/** `This makes it public, and deletes messages.` What several effects say after a semicolon is said once. */
export function consequenceOf(effects: readonly string[]): string {
  const parts = effects.map((effect) => {
    const [does = "", ...more] = effect.split("; ");
    return { does, more: more.join("; ") };
  });
  const alike = [...groupBy(parts, ({ more }) => more)].sort(([one], [other]) => Number(!!one) - Number(!!other));
  return alike
    .map(([more, same]) => `This ${same.map(({ does }) => does).join(", and ")}${more && `; ${more}`}.`)
    .join(" ");
}
