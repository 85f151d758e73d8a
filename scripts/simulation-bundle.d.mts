/** `edits`: files of `src`, texts that stand there once, and what replaces them. */
export function withSimulation<T>(
  edits: readonly (readonly [file: string, from: string, to: string])[],
  work: (outfile: string) => T | Promise<T>,
): Promise<T>;
