/** What servers write into the log of an organization, by event type. Help, documentation and tests come from it. */

import type { LoggedKind } from "../model/change-words.ts";
import { everyKind } from "../model/kinds/index.ts";
import type { LogRowDetails } from "../model/kinds/kind.ts";
import { everyList, listActions } from "../model/kinds/lists.ts";
import type { LogRow } from "./rows.ts";

export interface AuditAction extends LogRowDetails {
  /** `channel.renamed`. */
  readonly action: string;
  readonly sentence: string;
  /** Rows about accounts have the kind `user`, also those about bots. */
  readonly kind: LoggedKind;
  /** The target, if it is not of the kind. */
  readonly target?: "organization";
  /** The column with the id of the target, or the member of `extra_data`. */
  readonly id?: string;
  /** The member of `extra_data` with the target itself, such as an added domain. */
  readonly thing?: string;
  /** By default the row states the old and the new value. */
  readonly from?: string;
  readonly to?: string;
}

type ActionRow = readonly [type: number, action: string, sentence: string, more?: Partial<AuditAction>];

/** What is about no thing of a kind. Kinds state their own rows. */
const table: readonly ActionRow[] = [
  [201, "organization.deactivated", "deactivated the organization"],
  [202, "organization.reactivated", "reactivated the organization"],
  [203, "organization.scrubbed", "deleted all content of the organization"],
  [204, "organization.plan_changed", "changed the plan of the organization"],
  [205, "organization.logo_changed", "changed the logo of the organization"],
  [207, "setting.changed", "changed {property} from {from} to {to}"],
  [208, "organization.icon_changed", "changed the icon of the organization"],
  [213, "organization.subdomain_changed", "changed the address of the organization from {from} to {to}"],
  [215, "organization.created", "created the organization"],
  [216, "default_setting.changed", "changed the default of new people for {property} from {from} to {to}"],
  [
    217,
    "setting.changed",
    "changed {property} from {from} to {to}",
    { target: "organization", property: "org_type", from: "old_value", to: "new_value" },
  ],
  [229, "organization.imported", "imported the organization"],
  ...[401, 402, 403, 404, 501, 502, 503, 504, 505, 506, 507].map(
    (type): ActionRow => [type, "organization.billing_changed", "changed the billing"],
  ),
  [10201, "organization.server_registered", "the server was registered"],
];

type StatedKind = (typeof everyKind)[number];

/** Where rows of a list have its thing. */
const placeOf = ([kind, { log }]: StatedKind): Partial<AuditAction> =>
  log && "id" in log ? { id: log.id } : { thing: `changed_${kind}` };

const listRows = (stated: StatedKind): ActionRow[] =>
  everyList.flatMap((list): ActionRow[] => {
    const { kind, of, one, log } = list;
    if (!log || kind !== stated[0]) return [];
    const [joined, left] = listActions(list);
    const details = { ...placeOf(stated), subject: of, ...(of === "group" && { subjectIds: `${one}_ids` }) };
    const [added, removed] = log.words ?? [
      `added {subject} to ${stated[1].one} {target}`,
      `removed {subject} from ${stated[1].one} {target}`,
    ];
    return [
      [log.joined, `${kind}.${joined}`, added, details],
      [log.left, `${kind}.${left}`, removed, details],
    ];
  });

/** Returns the rows about things of a kind. */
const rowsOf = (stated: StatedKind): ActionRow[] => {
  const [kind, { one, plural, log }] = stated;
  if (!log) return [];
  if ("id" in log)
    return log.rows.map(([type, did, sentence, details]) => [
      type,
      `${kind}.${did}`,
      sentence,
      { id: log.id, ...details },
    ]);
  const { added, changed, removed, reordered, removedAs = "removed" } = log;
  const row = (type: number | undefined, did: string, list: string): ActionRow[] =>
    type === undefined ? [] : [[type, `${kind}.${did}`, `${did} ${one} {target}`, { thing: `${list}_${kind}` }]];
  const order = { target: "organization", from: "before", to: `realm_${kind}s` } as const;
  return [
    ...row(added, "added", "added"),
    ...row(changed, "changed", "changed"),
    ...row(removed, "removed", removedAs),
    ...(reordered === undefined
      ? []
      : [[reordered, `${kind}.reordered`, `changed the order of the ${plural}`, order] as const]),
  ];
};

export const auditActions: ReadonlyMap<number, AuditAction> = new Map(
  [...table, ...everyKind.flatMap((stated) => [...rowsOf(stated), ...listRows(stated)])].map(
    ([type, action, sentence, more]) => [type, { action, sentence, kind: action.split(".")[0] as LoggedKind, ...more }],
  ),
);

/** Event types of rows that mirror others: what a group gained is in a row about the group. */
export const mirroredTypes: ReadonlySet<LogRow["event_type"]> = new Set(
  everyKind.flatMap(([, { log }]) => (log && "id" in log ? (log.mirrors ?? []) : [])),
);

export const actionNames: readonly string[] = [
  ...new Set([...auditActions.values()].map(({ action }) => action)),
].sort();
