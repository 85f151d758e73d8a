import { addLinkifier } from "../../api/linkifiers.ts";
import { change } from "../../engine/change.ts";
import type { Context } from "../../shell/context.ts";

export interface Options {
  sample?: string[];
  skipCheck?: boolean;
}

export async function add(_context: Context, _options: Options, pattern: string, url_template: string) {
  return [
    change(
      addLinkifier,
      { pattern, url_template },
      {
        target: pattern,
        sentence: ({ id }) => `Linkifier ${id} added.`,
        check: "zulipctl linkifier list",
        ids: ({ id }) => [id],
      },
    ),
  ];
}
