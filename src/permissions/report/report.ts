/** What the page shows, as a value: everything counted and named, nothing of markup. */

/** One permission of one target: who may. */
export interface Cell {
  /** The group's name, or what the people are where other rules decide than the setting alone. */
  label: string;
  /** What the setting says, where the label is another. */
  setting?: string;
  /** Active ones who may; guests are among the people, bots are not. */
  people: number;
  guests: number;
  bots: number;
  /** Which of `Report.sets` they are. */
  set: number;
  /** Groups that the setting names itself, by id. */
  names: readonly number[];
  /** What the snapshot does not tell, where it does not decide about everybody. */
  unknown?: string;
}

export interface Column {
  /** On the wire, or the name of an act. */
  permission: string;
  title: string;
}

interface OrganizationRow extends Column {
  cell: Cell;
}

export type Kind = "web" | "public" | "private" | "archived";

export interface ChannelRow {
  id: number;
  name: string;
  kind: Kind;
  /** Of an archived one, what it was. */
  visibility: string;
  subscribers: number;
  cells: readonly Cell[];
}

/** A folder and its channels; those in none, and archived ones, have a heading of the program's own. */
export interface FolderRows {
  name: string;
  own: boolean;
  channels: readonly ChannelRow[];
}

export interface Reference {
  /** The row's name in the page. */
  row: string;
  text: string;
}

export interface GroupRow {
  id: number;
  name: string;
  /** The group of a role, which the server keeps. */
  role: boolean;
  deactivated: boolean;
  /** Through everything. */
  people: number;
  guests: number;
  bots: number;
  set: number;
  direct: number;
  contains: readonly number[];
  within: readonly number[];
  /** Settings that name it, the first of each kind. */
  uses: readonly { title: string; count: number; rows: readonly Reference[] }[];
  /** Empty for the group of a role. */
  cells: readonly Cell[];
}

export interface AccountRow {
  id: number;
  name: string;
  email: string;
  role: string;
  bot: boolean;
  guest: boolean;
  owner?: string;
  /** Groups it is in directly, those of roles left out. */
  groups: readonly Reference[];
  channels: number;
  /** What somebody of the role could not do without groups and subscriptions of their own. */
  extras: string;
}

export interface Finding {
  title: string;
  /** Why it is worth a look. */
  note: string;
  /** To look at, or only to know. */
  grave: boolean;
  items: readonly (Reference & { aside?: string })[];
}

export interface Count {
  title: string;
  count: number;
  parts: readonly { title: string; count: number }[];
}

export interface Report {
  organization: string;
  facts: readonly { title: string; text: string }[];
  /** What the reader has to know before anything else. */
  warning?: string;
  counts: readonly Count[];
  findings: readonly Finding[];
  /** What was looked for and is not there. */
  clear: readonly string[];
  permissions: readonly OrganizationRow[];
  channelColumns: readonly Column[];
  folders: readonly FolderRows[];
  groupColumns: readonly Column[];
  groups: readonly GroupRow[];
  /** Active ones, in the order in which `sets` number them. */
  accounts: readonly AccountRow[];
  /** Without bots. */
  people: number;
  /** All sets, one after the other, a bit an account: deflated, in base 64. */
  sets: string;
}
