/** How this program was installed. */
export interface Installation {
  kind: "executable" | "Debian package" | "npm package" | "clone";
  /** The executable, or the directory of the package. */
  path: string;
  /** The version of Node. */
  node: string;
  /** Where compiled code is kept between runs, and why that is impossible. */
  compiledCode: { directory: string; problem?: string };
}
