/** The names of sections, in the order of a file. A module of its own, so that help loads quickly. */
import { everyKind, type kinds } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";

/** Sections that hold settings. */
const settingSections = ["settings", "new_users"] as const;
export type SettingSection = (typeof settingSections)[number];

type StatedKind = (typeof kinds)[keyof typeof kinds];

/** Sections that hold a list of things. */
export type ThingSection = Extract<StatedKind, { readonly section: string }>["section"];

export type SectionName = SettingSection | ThingSection;

const hasSection = (section: string | undefined): section is ThingSection => section !== undefined;

export const sectionNames: readonly SectionName[] = [
  ...settingSections,
  ...everyKind.map(([, { section }]) => section).filter(hasSection),
];

/** The operations that read an organization. */
export const snapshotReads = ["events.register", "folder.list", "invite.list", "users.me"] as const;

/** Returns the operations that change things of a kind. */
const operationsOf = ({ create, update, archive, restore, remove, reorder, lists = {} }: Kind): string[] => [
  ...create,
  ...[update, archive?.operation, restore?.operation, remove?.operation, reorder].flatMap((name) => name ?? []),
  ...Object.values(lists).flatMap(({ add, remove }) => [add.operation, remove.operation]),
];

/** Files invite people instead. */
const unusedOperation = "users.create";

/** The operations with which an organization is made as its files say. */
export const applyOperations = [
  ...new Set<string>([
    ...snapshotReads,
    ...["invite.add", "organization.defaults", "organization.update"],
    ...everyKind.flatMap(([, kind]) => (kind.section === undefined ? [] : operationsOf(kind))),
  ]),
].filter((name) => name !== unusedOperation);

/** The format of plan files. */
export const planFormat = "zulipctl organization plan";

export const isSettings = (section: SectionName): section is SettingSection =>
  section === "settings" || section === "new_users";

/** Whether the things of a section are accounts. */
export const hasAccounts = (section: SectionName): section is "people" | "bots" =>
  section === "people" || section === "bots";
