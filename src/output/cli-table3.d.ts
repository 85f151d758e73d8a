/** The functions of cli-table3 that measure and fill cells. */
declare module "cli-table3/src/utils.js" {
  const utils: {
    pad(line: string, width: number, blank: string, side: "left" | "right" | "center"): string;
    truncate(line: string, width: number): string;
  };
  export default utils;
}
