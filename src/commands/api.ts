import type { Given } from "../argv/given.ts";
import { plans } from "../cli/conversation.ts";
import { offered, text, textOrFile, toggle } from "../cli/kinds.ts";
import { maybe, type Word } from "../cli/word.ts";

const fields = (short: string, doc: string, metavar: string): Word<Given[], Given[]> => ({
  short,
  metavar,
  doc,
  many: true,
  file: true,
  offers: { of: "parameter=value", at: true },
});

export const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

export const api = plans({
  doc: "Call any endpoint of the API, with the same credentials, pace and certainty",
  operands: {
    method: {
      ...text("GET reads; everything else counts as a change (default: GET)", "METHOD"),
      offers: { of: methods },
    },
    path: maybe(text("below /api/v1, with or without it", "path")),
  },
  flags: {
    field: fields("f", "a parameter that goes as text; @file reads a file, - reads stdin", "name=text"),
    jsonField: fields("F", "a parameter that goes as JSON, which is checked; files and stdin as with -f", "name=json"),
    body: offered("file", textOrFile("send the form in this file as it is; - reads stdin", "file")),
    include: toggle("print status and headers first"),
    curl: toggle("print the same call for curl, and send nothing"),
  },
  examples: [
    "zulipctl api users/me",
    "zulipctl api GET streams -F include_all=true --jq '.streams | length'",
    "zulipctl api PATCH /streams/1 -f description=Sketches -F is_private=false",
    "zulipctl api DELETE /streams/1 --curl",
  ],
  run: async () => (await import("./api/call.ts")).callApi,
});
