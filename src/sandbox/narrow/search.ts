/**
 * A full-text search of English: words are stemmed, stop words find nothing, and all that is asked for must be there.
 * What stands in quotes must stand so in the message, too.
 */
import { newStemmer } from "snowball-stemmers";

/** Those of PostgreSQL, and single letters, which Zulip adds to them. */
const stopWords = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
   it its itself they them their theirs themselves what which who whom this that these those am is are was were be
   been being have has had having do does did doing a an the and but if or because as until while of at by for with
   about against between into through during before after above below to from up down in out on off over under
   again further then once here there when where why how all any both each few more most other some such no nor not
   only own same so than too very s t can will just don should now
   b c d e f g h j k l m n o p q r u v w x y z`.split(/\s+/),
);
const stemmer = newStemmer("english");

/** Tags and entities of HTML are no words. */
const parts = /<[^>]*>|&#?\w+;|[\p{L}\p{M}\d]+/gu;

/** Undefined for a stop word, and for what is no word. */
function lexeme(part: string): string | undefined {
  const lower = part.toLowerCase();
  return /^[<&]/.test(part) || stopWords.has(lower) ? undefined : stemmer.stem(lower);
}

const lexemes = (text: string) => new Set((text.match(parts) ?? []).flatMap((part) => lexeme(part) ?? []));

export class Search {
  readonly #wanted: ReadonlySet<string>;
  readonly #phrases: readonly string[];

  /** `operand` is what all search terms ask for, joined. */
  constructor(operand: string) {
    this.#wanted = lexemes(operand);
    this.#phrases = [...operand.matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase.toLowerCase());
  }

  /** `content` is raw Markdown, `html` the same rendered. */
  matches({ topic, content, html }: { topic: string; content: string; html: string }): boolean {
    const here = (phrase: string) => content.toLowerCase().includes(phrase) || topic.toLowerCase().includes(phrase);
    if (this.#wanted.size === 0 || !this.#phrases.every(here)) return false;
    const found = lexemes(`${topic} ${html}`);
    return [...this.#wanted].every((word) => found.has(word));
  }

  /** Marks in HTML what was searched for. */
  highlight(html: string): string {
    return html.replace(parts, (part) =>
      this.#wanted.has(lexeme(part) ?? "") ? `<span class="highlight">${part}</span>` : part,
    );
  }
}
