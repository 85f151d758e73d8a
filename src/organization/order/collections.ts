/** Folders, profile fields, linkifiers, domains and playgrounds. */
import { addDomain, removeDomain, updateDomain } from "../../api/domains.ts";
import { createFolder, reorderFolders, updateFolder } from "../../api/folders.ts";
import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { updateOrganization } from "../../api/organization.ts";
import { addPlayground, removePlayground } from "../../api/playgrounds.ts";
import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../api/profile-fields.ts";
import type { Creation, Difference, Option, Removal, Update, Values } from "../difference.ts";
import { fieldTypes } from "../sections/field-data.ts";
import { playgrounds as playgroundSection } from "../sections/playgrounds.ts";
import type { SectionName } from "../words.ts";
import { given, listOf, type OrderContext, valuesOf } from "./context.ts";
import { type Draft, type Facts, type Piece, phases } from "./draft.ts";
import { nameFact, renamed, setAside } from "./names.ts";

/** How things of a small collection are made, changed, removed and put in order. */
interface Collection {
  create(context: OrderContext, of: number, creation: Creation): Draft[];
  update(context: OrderContext, of: number, update: Update): Draft[];
  remove?(context: OrderContext, of: number, removal: Removal): Draft[];
  reorder?(ids: readonly number[]): Pick<Draft, "operation" | "args">;
}

const creating = { part: "create", phase: phases.collections + 0.1 };
const updating = { part: "update", phase: phases.collections };
const removing = { part: "remove", phase: phases.removals, does: "removed" };

/** Not one transaction: each attribute goes by itself. */
const folders: Collection = {
  create: ({ ids }, of, { name, to }) => [
    {
      ...creating,
      of,
      operation: createFolder,
      args: { name: to.name ?? name, description: to.description ?? "" },
      fields: Object.keys(to),
      does: "created",
      makes: { member: "channel_folder_id", id: ids.of(of) },
      needs: [nameFact("folders", to.name ?? name)],
      provides: [`${ids.of(of)} is made`],
    },
  ],
  update: (context, of, { id, action, fields }) => {
    const thing = { section: "folders", id } as const;
    const one = { of, operation: updateFolder };
    const drafts: Draft[] = [
      ...setAside(context, of, thing, fields.find(({ field }) => field === "name")?.from, (name) => ({
        ...one,
        phase: phases.collections,
        args: { channel_folder_id: id, name },
      })),
      ...fields
        .filter(({ field }) => field !== "archived")
        .map(
          ({ field, from, to }): Draft => ({
            ...one,
            part: field,
            phase: phases.collections,
            args: { channel_folder_id: id, [field]: to },
            fields: [field],
            ...(field === "name" && renamed(context, of, thing, { from, to })),
          }),
        ),
    ];
    if (action === "archive" || action === "unarchive")
      drafts.push({
        ...one,
        part: action,
        phase: action === "archive" ? phases.removals + 0.1 : phases.collections,
        args: { channel_folder_id: id, is_archived: action === "archive" },
        fields: ["archived"],
        does: `${action}d`,
        ...(action === "unarchive" && { provides: [`folder ${id} is in use`] }),
      });
    return drafts;
  },
  reorder: (order) => ({ operation: reorderFolders, args: { order } }),
};

const linkifiers: Collection = {
  create: ({ ids }, of, { name, to }) => [
    {
      ...creating,
      of,
      operation: addLinkifier,
      args: { pattern: name, ...to },
      fields: Object.keys(to),
      does: "added",
      makes: { member: "id", id: ids.of(of) },
      needs: [nameFact("linkifiers", to.pattern ?? name)],
      provides: [`${ids.of(of)} is made`],
    },
  ],
  update: (context, of, { id, fields }) => {
    const now = context.snapshot.organization.realm_linkifiers?.find((each) => each.id === id);
    const pattern = fields.find(({ field }) => field === "pattern");
    const thing = { section: "linkifiers", id } as const;
    const args = { filter_id: id, pattern: now?.pattern, url_template: now?.url_template };
    return [
      ...setAside(context, of, thing, pattern?.from, (name) => ({
        operation: updateLinkifier,
        phase: phases.collections,
        // The template must find the groups of the pattern that it is for.
        args: { ...args, pattern: `${name} ${now?.pattern}` },
      })),
      {
        ...updating,
        of,
        operation: updateLinkifier,
        args: { ...args, ...valuesOf(fields) },
        fields: fields.map(({ field }) => field),
        ...(pattern && renamed(context, of, thing, pattern)),
      },
    ];
  },
  remove: (_, of, { id }) => [{ ...removing, of, operation: removeLinkifier, args: { filter_id: id } }],
  reorder: (ordered_linkifier_ids) => ({ operation: reorderLinkifiers, args: { ordered_linkifier_ids } }),
};

const domainsAdded = { provides: ["domains are added"] };

/** Some are there at any moment, so that the restriction to them never has nothing to go by. */
const domains: Collection = {
  create: (_, of, { name, to }) => [
    {
      ...creating,
      ...domainsAdded,
      of,
      operation: addDomain,
      args: { domain: to.domain ?? name, allow_subdomains: to.allow_subdomains ?? false },
      fields: Object.keys(to),
      does: "added",
    },
  ],
  update: (_, of, { name, fields }) => [
    {
      ...updating,
      ...domainsAdded,
      of,
      operation: updateDomain,
      args: { domain: name, ...valuesOf(fields) },
      fields: fields.map(({ field }) => field),
    },
  ],
  remove: (_, of, { name }) => [
    {
      ...removing,
      of,
      operation: removeDomain,
      args: { domain: name },
      needs: ["domains are added", "domains restrict nobody"],
    },
  ],
};

const options = (all: unknown): Values =>
  Object.fromEntries(listOf<Option>(all).map(({ key, text }, n) => [key, { text, order: String(n + 1) }]));

/** The values of a profile field, as requests have them. */
const fieldArgs = ({ name, hint, required, display_in_profile_summary, editable_by_user, ...rest }: Values) =>
  given({
    name,
    hint,
    required,
    display_in_profile_summary,
    editable_by_user,
    field_data: rest.options ? options(rest.options) : rest.field_data,
  });

const roomInSummary = "there is room in the summary";

const shown = (value: unknown): Facts => (value === true ? { needs: [roomInSummary] } : { provides: [roomInSummary] });

const profileFields: Collection = {
  create: ({ ids }, of, { name, to }) => [
    {
      ...creating,
      of,
      operation: createProfileField,
      args: { field_type: fieldTypes[to.type as keyof typeof fieldTypes], ...fieldArgs({ name, ...to }) },
      fields: Object.keys(to),
      does: "created",
      makes: { member: "id", id: ids.of(of) },
      needs: [nameFact("profile_fields", to.name ?? name), ...(to.display_in_profile_summary ? [roomInSummary] : [])],
      provides: [`${ids.of(of)} is made`],
    },
  ],
  update: (context, of, { id, fields }) => {
    const thing = { section: "profile_fields", id } as const;
    const pieces = fields.map(({ field, from, to }): Piece => {
      const piece = { fields: [field], args: fieldArgs({ [field]: to }) };
      if (field === "name") return { ...piece, ...renamed(context, of, thing, { from, to }) };
      return field === "display_in_profile_summary" ? { ...piece, ...shown(to) } : piece;
    });
    return [
      ...setAside(context, of, thing, fields.find(({ field }) => field === "name")?.from, (name) => ({
        operation: updateProfileField,
        phase: phases.collections,
        args: { field_id: id, name },
      })),
      { ...updating, of, operation: updateProfileField, args: { field_id: id }, pieces },
    ];
  },
  remove: (_, of, { id }) => [
    { ...removing, of, operation: removeProfileField, args: { field_id: id }, provides: [roomInSummary] },
  ],
  reorder: (order) => ({ operation: reorderProfileFields, args: { order } }),
};

const playgroundName = ({ pygments_language, name }: Values) =>
  nameFact("playgrounds", `${pygments_language}\n${name}`);

/** Removing one empties the default language of code blocks, where it is its language: that is put back. */
function playgroundGone({ snapshot }: OrderContext, of: number, id: number | undefined, phase: number): Draft[] {
  const now = playgroundSection.records(snapshot).find((each) => each.id === id);
  const { realm_default_code_block_language: language } = snapshot.organization as {
    realm_default_code_block_language?: string;
  };
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

const playgrounds: Collection = {
  create: (_, of, { name, to }) => [playgroundMade(of, to, name)],
  // No call edits one.
  update: (context, of, { id, name, fields }) => {
    const now = playgroundSection.records(context.snapshot).find((each) => each.id === id);
    const to = { ...given({ name: now?.name, pygments_language: now?.pygments_language }), ...valuesOf(fields) };
    return [
      ...playgroundGone(context, of, id, phases.collections),
      { ...playgroundMade(of, to, name), needs: [playgroundName({ name, ...to }), `playground ${id} is gone`] },
    ];
  },
  remove: (context, of, { id }) => playgroundGone(context, of, id, phases.removals),
};

const collections: Partial<Record<SectionName, Collection>> = {
  folders,
  profile_fields: profileFields,
  linkifiers,
  domains,
  playgrounds,
};

export function collectionDrafts(context: OrderContext, of: number, difference: Difference): Draft[] {
  const { section } = difference;
  const collection = collections[section];
  if (!collection) throw new Error(`cannot ${difference.action} ${section}`);
  if ("fields" in difference) return collection.update(context, of, difference);
  if (difference.action === "remove") return collection.remove?.(context, of, difference) ?? [];
  if (difference.action !== "reorder") return collection.create(context, of, difference);
  const request = collection.reorder?.(context.ids.all(section, difference.to));
  return request ? [{ of, part: "order", phase: phases.orders, does: "put in order", ...request }] : [];
}
