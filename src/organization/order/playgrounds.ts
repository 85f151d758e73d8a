import { updateOrganization } from "../../api/organization.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import type { Difference, Values } from "../difference.ts";
import { playgrounds as playgroundSection } from "../sections/playgrounds.ts";
import { given, type OrderContext, valuesOf, whole } from "./context.ts";
import type { Draft } from "./draft.ts";
import { nameFact } from "./names.ts";
import type { Way } from "./way.ts";

const playgroundName = ({ pygments_language, name }: Values) =>
  nameFact("playgrounds", `${pygments_language}\n${name}`);

/** What the request is called that puts the default language back. */
export const languageKept = "language";

/** The language of a playground that is changed or removed. */
export const languageOf = (difference: Difference): string =>
  String(
    "fields" in difference
      ? difference.fields.find(({ field }) => field === "pygments_language")?.from
      : "from" in difference && (difference.from as Values).pygments_language,
  );

/** Removing one empties the default language of code blocks, where it is its language: that is put back. */
function keptLanguage({ snapshot }: OrderContext, of: number, id: number | undefined, language: unknown): Draft[] {
  const now = (snapshot.organization as Record<string, unknown>).realm_default_code_block_language;
  if (now !== language || !now) return [];
  return [
    whole({
      of,
      part: languageKept,
      operation: updateOrganization,
      args: { default_code_block_language: now },
      does: "default language kept",
      needs: [`playground ${id} is gone`],
      provides: ["the language is put back"],
    }),
  ];
}

const playgroundOf = ({ snapshot }: OrderContext, id: number | undefined) =>
  playgroundSection.records(snapshot).find((each) => each.id === id);

const playgroundGone = (of: number, id: number, from: Values): Draft =>
  whole({
    of,
    part: "remove",
    operation: removePlayground,
    args: { playground_id: id },
    does: "removed",
    provides: [playgroundName(from), `playground ${id} is gone`, "playgrounds are gone"],
  });

function playgroundMade(of: number, to: Values, name: string): Draft {
  const { name: called = name, pygments_language, url_template } = to;
  return whole({
    of,
    part: "create",
    operation: addPlayground,
    args: { name: called, pygments_language, url_template },
    fields: Object.keys(to),
    does: "added",
    needs: [playgroundName({ name: called, pygments_language })],
  });
}

export const playgrounds: Way = {
  create: (_, of, { name, to }) => [playgroundMade(of, to, name)],
  // No call edits one. What a run has made anew before it was broken off may lack its language only.
  update: (context, of, { id, name, fields }) => {
    const now = playgroundOf(context, id);
    const said = (field: string) => fields.find((each) => each.field === field);
    const to: Values = {
      ...given({ name: now?.name, pygments_language: now?.pygments_language }),
      ...valuesOf(fields),
    };
    const language = now?.pygments_language ?? said("pygments_language")?.from;
    return [
      ...(now ? [playgroundGone(of, id!, { ...now })] : []),
      ...keptLanguage(context, of, id, language),
      ...(said("url_template") || now ? [playgroundMade(of, to, name)] : []),
    ];
  },
  remove: (context, of, { id, from }) => [
    ...(playgroundOf(context, id) ? [playgroundGone(of, id!, from)] : []),
    ...keptLanguage(context, of, id, from.pygments_language),
  ],
};
