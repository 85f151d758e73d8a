declare module "snowball-stemmers" {
  /** Porter's second stemmer for `english`. */
  export function newStemmer(language: "english"): { stem(word: string): string };
}
