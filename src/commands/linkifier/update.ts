import { type Linkifier, updateLinkifier } from "../../api/linkifiers.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { presentOf } from "../../resolve/present.ts";
import type { Context, Planned } from "../../run/context.ts";
import { check } from "./check.ts";

type Part = Pick<Linkifier, "pattern" | "url_template">;

interface Words {
  id: number;
  pattern?: string | undefined;
  urlTemplate?: string | undefined;
  sample?: string[] | undefined;
  skipCheck?: boolean | undefined;
}

/** The call replaces both: the one that was not given is sent as it is now. */
export async function update(context: Context, words: Words): Promise<Planned> {
  const { id, pattern, urlTemplate, sample, skipCheck } = words;
  const current = async (): Promise<Part> => {
    const found = await presentOf(context).of(updateLinkifier, { filter_id: id });
    if (found) return found.values as unknown as Part;
    throw new Usage(`<id>: linkifier ${id} not found`, { hint: "List them with: zulipctl linkifier list" });
  };
  const kept = pattern === undefined || urlTemplate === undefined ? await current() : undefined;
  const wanted: Part = { pattern: pattern ?? kept!.pattern, url_template: urlTemplate ?? kept!.url_template };
  await check({ pattern: wanted.pattern, urlTemplate: wanted.url_template, sample, skipCheck }, context, {
    pattern: "--pattern",
    urlTemplate: "--url-template",
    undone: "the linkifier was not changed",
  });
  return [
    change(
      updateLinkifier,
      { filter_id: id, ...wanted },
      { target: String(id), done: "Updated linkifier {target}.", verifyWith: "zulipctl linkifier list" },
    ),
  ];
}
