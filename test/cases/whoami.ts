import { read } from "./case.ts";

export const cases = read({ lines: [{ typed: "", sends: "GET /users/me" }] });
