/** What the loader (load.cjs) adds to import.meta in the build. From the source there is none of it. */
interface ImportMeta {
  readonly build?: {
    /** Returns the bytes of a file of dist. Throws if it is missing, or if the executable is damaged. */
    read(name: string): Buffer;
    /** Whether this is the executable, which has its files inside. */
    isExecutable: boolean;
    /** The command that makes one call of the keychain. */
    keychainChild: string[];
    /** Returns why compiled code cannot be kept in this cache directory, or undefined. */
    compiledCodeProblem(cache: string): string | undefined;
  };
}
