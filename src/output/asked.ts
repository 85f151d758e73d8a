/** Errors come as JSON also where the command line could not be read to its end. */
export const asksJson = (argv: readonly string[]): boolean =>
  argv.some(
    (word, n) =>
      /^(--json|-ojson|--output=json|--jq(=.*)?)$/.test(word) ||
      (word === "json" && /^(-o|--output)$/.test(argv[n - 1] ?? "")),
  );
