import type { server } from "../../src/commands/server.ts";
import { type CasesOf, read } from "./case.ts";

export const cases: CasesOf<typeof server> = {
  info: read({ lines: [{ typed: "", sends: "GET /server_settings" }] }),
};
