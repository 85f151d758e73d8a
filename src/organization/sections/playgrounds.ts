import { updateOrganization } from "../../api/organization.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import { strip } from "../../folding.ts";
import type { Values } from "../difference.ts";
import { given, type OrderContext, valuesOf } from "../order/context.ts";
import { type Draft, phases } from "../order/draft.ts";
import { nameFact } from "../order/names.ts";
import { creating, type Requests, removing } from "../order/requests.ts";
import { filled } from "../shape.ts";
import { organizationSetting } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { listed, type Things } from "./section.ts";

interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

const playgroundsIn = listed<Playground>("realm_playgrounds", "realm_playgrounds");

const key = { shape: filled, needed: true, stored: strip } as const;

const playgroundName = ({ pygments_language, name }: Values) =>
  nameFact("playgrounds", `${pygments_language}\n${name}`);

/** Removing one empties the default language of code blocks, where it is its language: that is put back. */
function playgroundGone({ snapshot }: OrderContext, of: number, id: number | undefined, phase: number): Draft[] {
  const now = playgroundsIn.records(snapshot).find((each) => each.id === id);
  const language = organizationSetting(snapshot, "default_code_block_language");
  const gone = `playground ${id} is gone`;
  const removal: Draft = {
    ...removing,
    phase,
    of,
    operation: removePlayground,
    args: { playground_id: id },
    provides: [...(now ? [playgroundName({ ...now })] : []), gone],
  };
  if (!language || now?.pygments_language !== language) return [removal];
  return [
    removal,
    {
      of,
      part: "language",
      phase,
      operation: updateOrganization,
      args: { default_code_block_language: language },
      does: "default language kept",
      needs: [gone],
    },
  ];
}

function playgroundMade(of: number, to: Values, name: string): Draft {
  const { name: called = name, pygments_language, url_template } = to;
  return {
    ...creating,
    of,
    operation: addPlayground,
    args: { name: called, pygments_language, url_template },
    fields: Object.keys(to),
    does: "added",
    needs: [playgroundName({ name: called, pygments_language })],
  };
}

const requests: Requests = {
  create: (_, of, { name, to }) => [playgroundMade(of, to, name)],
  // No call edits one.
  update: (context, of, { id, name, fields }) => {
    const now = playgroundsIn.records(context.snapshot).find((each) => each.id === id);
    const to = { ...given({ name: now?.name, pygments_language: now?.pygments_language }), ...valuesOf(fields) };
    return [
      ...playgroundGone(context, of, id, phases.collections),
      { ...playgroundMade(of, to, name), needs: [playgroundName({ name, ...to }), `playground ${id} is gone`] },
    ];
  },
  remove: (context, of, { id }) => playgroundGone(context, of, id, phases.removals),
};

export const playgrounds: Things<Playground> = {
  doc: "Sites that run code of messages.",
  holds: "things",
  one: "playground",
  called: "playgrounds",
  key: ["pygments_language", "name"],
  fold: strip,
  complete: true,
  made: "url_template",
  recreated: true,
  members: attributesOf(addPlayground, {
    without: [],
    more: { name: key, pygments_language: key, url_template: { shape: filled, stored: strip } },
  }),
  ...playgroundsIn,
  id: ({ id }) => id,
  requests,
};
