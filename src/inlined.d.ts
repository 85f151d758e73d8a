/** A file as text: the build and the tests put it in place of the import. */
declare module "*?raw" {
  const text: string;
  export default text;
}
