import { updateOrganization } from "../../api/organization.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import type { Values } from "../difference.ts";
import { given, type OrderContext, valuesOf, whole } from "./context.ts";
import type { Draft } from "./draft.ts";
import { nameFact } from "./names.ts";
import type { Way } from "./way.ts";

const playgroundName = ({ pygments_language, name }: Values) =>
  nameFact("playgrounds", `${pygments_language}\n${name}`);

/** Removing one empties the default language of code blocks, where it is its language: that is put back. */
function withDefaultLanguage({ snapshot }: OrderContext, draft: Draft, { pygments_language }: Values): Draft[] {
  const now = (snapshot.organization as Record<string, unknown>).realm_default_code_block_language;
  if (now !== pygments_language || !now) return [draft];
  return [
    draft,
    whole({
      of: draft.of,
      part: "language",
      operation: updateOrganization,
      args: { default_code_block_language: now },
      does: "default language kept",
      needs: [`playground ${draft.args.playground_id} is gone`],
      provides: ["the language is put back"],
    }),
  ];
}

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
  // No call edits one.
  update: (context, of, { id, name, fields }) => {
    const now = context.snapshot.organization.realm_playgrounds?.find((each) => each.id === id);
    const to: Values = {
      ...given({ name: now?.name, pygments_language: now?.pygments_language }),
      ...valuesOf(fields),
    };
    const made = playgroundMade(of, to, name);
    return now ? [...withDefaultLanguage(context, playgroundGone(of, id!, now), now), made] : [made];
  },
  remove: (context, of, { id, from }) => withDefaultLanguage(context, playgroundGone(of, id!, from), from),
};
