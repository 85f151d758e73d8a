import type { serverNoun } from "../../src/commands/server.ts";
import { type CasesOf, read } from "./case.ts";

export const cases: CasesOf<typeof serverNoun> = {
  info: read({ lines: [{ typed: "", sends: "GET /server_settings" }] }),
};
