/** Errors come as JSON also where the command line could not be read to its end. */
export const asksJson = (argv: readonly string[]): boolean =>
  argv.some(
    (word, n) =>
      /^(--json|-[nqvy]*ojson|--output=json|--jq(=.*)?)$/.test(word) ||
      (word === "json" && /^(-[nqvy]*o|--output)$/.test(argv[n - 1] ?? "")),
  );
