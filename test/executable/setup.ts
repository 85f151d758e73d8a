/** Makes the executable that the tests of this project run. */
import { execFileSync } from "node:child_process";
import build from "../build.ts";

export default function setup(): void {
  build();
  execFileSync(process.execPath, ["scripts/single.mjs", "--built"], { stdio: ["ignore", "ignore", "inherit"] });
}
