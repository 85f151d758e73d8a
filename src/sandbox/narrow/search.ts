/**
 * Full-text search as PostgreSQL does it with its English dictionary: words are stemmed, stop words find nothing, and
 * all that is asked for must be there. Besides, Zulip wants what stands in quotes to stand so in the message.
 */
import { newStemmer } from "snowball-stemmers";
import { type Token, tokens } from "./tokens.ts";

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

/** Undefined for a stop word, and for what is not searched. */
function lexeme({ text, dictionary }: Token): string | undefined {
  const lower = text.toLowerCase();
  if (dictionary !== "english") return dictionary && lower;
  return stopWords.has(lower) ? undefined : stemmer.stem(lower);
}

const lexemes = (text: string): Set<string> => {
  const all = new Set<string>();
  for (const token of tokens(text)) {
    const found = lexeme(token);
    if (found !== undefined) all.add(found);
  }
  return all;
};

export interface Searched {
  topic: string;
  /** Raw Markdown. */
  content: string;
  /** Rendered content. */
  html: string;
}

const start = '<span class="highlight">';
const stop = "</span>";

export class Search {
  readonly #wanted: ReadonlySet<string>;
  readonly #phrases: readonly string[];

  /** `operand` is what all search terms ask for, joined. */
  constructor(operand: string) {
    this.#wanted = lexemes(operand);
    this.#phrases = [...operand.matchAll(/"[^"]+"|\S+/g)]
      .map(([part]) => part)
      .filter((part) => part.startsWith('"') && part.endsWith('"'))
      .map((part) => part.slice(1, -1).toLowerCase());
  }

  matches({ topic, content, html }: Searched): boolean {
    const here = (phrase: string) => content.toLowerCase().includes(phrase) || topic.toLowerCase().includes(phrase);
    // A query of nothing but stop words finds nothing. Topic and message are indexed without a space between.
    if (!this.#wanted.size || !this.#phrases.every(here)) return false;
    const found = lexemes(topic + html);
    return [...this.#wanted].every((word) => found.has(word));
  }

  /** Marks in HTML what was searched for; of words with hyphens and URLs the parts. */
  highlight(html: string): string {
    let marked = "";
    let at = 0;
    for (const token of tokens(html)) {
      const found = token.whole ? undefined : lexeme(token);
      if (found === undefined || !this.#wanted.has(found)) continue;
      marked += html.slice(at, token.start) + start + token.text + stop;
      at = token.start + token.text.length;
    }
    return marked + html.slice(at);
  }
}
