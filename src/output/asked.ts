/** What a command line asks for, also where it could not be read to its end: for errors, which come as JSON even then. */
export const asksJson = (argv: readonly string[]): boolean =>
  argv.some(
    (word, n) =>
      /^(--json|-[nqvy]*ojson|--output=json|--jq(=.*)?)$/.test(word) ||
      (word === "json" && /^(-[nqvy]*o|--output)$/.test(argv[n - 1] ?? "")),
  );

export const asksVerbose = (argv: readonly string[]): boolean => argv.includes("-v") || argv.includes("--verbose");
