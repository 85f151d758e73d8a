import { updateOrganization } from "../../api/organization.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import { strip } from "../../common/folding.ts";
import type { Values } from "../difference.ts";
import { phases } from "../order/phases.ts";
import { nonEmpty } from "../shape.ts";
import { organizationSetting, type Snapshot } from "../snapshot.ts";
import { addBase, type Draft, nameIsFree, type RequestContext, removeBase, valuesOf } from "./requests.ts";
import { attributesOf, ofKind, type Things } from "./section.ts";

type Playground = NonNullable<Snapshot["organization"]["realm_playgrounds"]>[number];

const stated = ofKind<Playground>("playground");

const key = { shape: nonEmpty, needed: true, stored: strip } as const;

const keyIsFree = ({ pygments_language, name }: Values) =>
  nameIsFree("playgrounds", `${strip(String(pygments_language))}\n${strip(String(name))}`);

/**
 * Removes a playground. If the default language of code blocks is its language, servers reset that: a second request
 * sets it again.
 */
function removals({ snapshot }: RequestContext, id: number | undefined, phase: number): Draft[] {
  const current = stated.records(snapshot).find((each) => each.id === id);
  const language = organizationSetting(snapshot, "default_code_block_language");
  const isGone = `playground ${id} is gone`;
  const removal: Draft = {
    ...removeBase,
    phase,
    operation: removePlayground,
    args: { playground_id: id },
    provides: [...(current ? [keyIsFree({ ...current })] : []), isGone],
  };
  if (!language || current?.pygments_language !== language) return [removal];
  const restored: Draft = {
    phase,
    operation: updateOrganization,
    args: { default_code_block_language: language },
    result: "default language kept",
    needs: [isGone],
  };
  return [removal, restored];
}

function creation({ name, pygments_language, url_template }: Values): Draft {
  return {
    ...addBase,
    member: "id",
    operation: addPlayground,
    args: { name, pygments_language, url_template },
    needs: [keyIsFree({ name, pygments_language })],
  };
}

export const playgrounds: Things<Playground> = {
  ...stated,
  doc: "Sites that run code of messages.",
  requiredToCreate: "url_template",
  recreated: true,
  members: attributesOf(addPlayground, {
    without: [],
    more: { name: key, pygments_language: key, url_template: { shape: nonEmpty, stored: strip } },
  }),
  requests: {
    create: (_, { to }) => [creation(to)],
    // Playgrounds cannot be edited: `fields` contains the key, so that it can be created again.
    update: (context, { id, fields }) => {
      const addRequest = creation(valuesOf(fields));
      return [
        ...removals(context, id, phases.collections),
        { ...addRequest, needs: [...(addRequest.needs ?? []), `playground ${id} is gone`] },
      ];
    },
    remove: (context, { id }) => removals(context, id, phases.removals),
  },
};
