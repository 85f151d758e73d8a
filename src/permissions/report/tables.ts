/** The tables of the page: permissions of the organization, channels, groups and people. */

import { counted } from "../../common/counted.ts";
import { countText, groupTitle, type RowLink, visibleName } from "../titles.ts";
import type { TableCell } from "./cells.ts";
import { type Html, html } from "./html.ts";
import type { GroupRow, Report } from "./make-report.ts";

type FolderRows = Report["folders"][number];
type ChannelRow = FolderRows["channels"][number];
type AccountRow = Report["accounts"][number];

/** Rounds percentages so that some never becomes 0, and only all becomes 100. */
function percentage(part: number, whole: number): number {
  if (part === 0 || whole === 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}

/** Returns the class of a bar: people first, then guests. */
function barClass({ people, guests }: { people: number; guests: number }, all: number): string {
  const whole = percentage(people, all);
  const behind = people === guests ? whole : Math.min(whole - 1, percentage(guests, all));
  return `p${whole - behind}${behind > 0 ? ` q${behind}` : ""}`;
}

const cellOf = (cell: TableCell, all: number): Html =>
  html`<td class="c ${barClass(cell, all)}">${cell.label}<br><b>${countText(cell.people)}</b>${
    cell.bots > 0 && html` <i>+${counted(cell.bots, "bot")}</i>`
  }${cell.unknown !== undefined && html` <i>not known of all</i>`}`;

/** The largest number of rows that a browser lays out quickly. */
const sizeClass = (rows: number): string => (rows > 150 ? " many" : "");

const columnHeads = (columns: Report["groupColumns"]): Html[] =>
  columns.map(({ title, permission }) => html`<th scope="col" data-sort="${permission}">${title}`);

export const rowLink = ({ row, text }: RowLink): Html => html`<a href="#${row}">${visibleName(text)}</a>`;

const separated = (parts: readonly Html[]): Html[] => parts.map((part, at) => (at === 0 ? part : html`, ${part}`));

/** Shows the first rows, and the others on request. */
export function listWithRest(parts: readonly Html[], most: number): Html {
  if (parts.length <= most + 1) return html`${separated(parts)}`;
  const rest = separated(parts.slice(most));
  return html`${separated(parts.slice(0, most))}<details><summary>and ${countText(rest.length)} more</summary>${rest}</details>`;
}

export const organizationTable = ({ permissions, people }: Report): Html => html`
<div class="scroll" tabindex="0" role="region" aria-label="Table of the organization’s permissions">
<table id="organization-table" class="list">
<thead><tr><th scope="col">Permission<th scope="col">Who may<th scope="col" class=n>Guests<th scope="col" class=n>Bots
<tbody>${permissions.map(
  ({ permission, title, cell }) => html`
<tr id="o-${permission}"><th scope=row><b>${title}</b><small><code>${permission}</code></small>${cellOf(
    cell,
    people,
  )}<td class=n>${countText(cell.guests)}<td class=n>${countText(cell.bots)}`,
)}
</table></div>`;

const channelRow = ({ id, name, kind, visibility, subscribers, cells }: ChannelRow, people: number): Html => html`
<tr id="c${id}"><th scope=row><b>${visibleName(name)}</b><small><span class="k-${kind}">${visibility}</span> · <span title="subscribers">${countText(
  subscribers,
)}</span></small>${cells.map((cell) => cellOf(cell, people))}`;

const folderRows = ({ name, own, channels }: FolderRows, columns: number, people: number): Html => html`
<tbody><tr class="folder"><th scope="rowgroup" colspan="${columns + 1}"><span class="${own ? "own" : "given"}"><bdi>${visibleName(
  name,
)}</bdi> <small>${counted(channels.length, "channel")}</small></span>${channels.map((row) => channelRow(row, people))}`;

export function channelTable({ folders, channelColumns, people }: Report): Html {
  const rows = folders.reduce((sum, { channels }) => sum + channels.length, 0);
  return html`
<div class="scroll tall" tabindex="0" role="region" aria-label="Table of channels">
<table id="channel-table" class="matrix n${channelColumns.length}${sizeClass(rows)}">
<thead><tr><th scope="col" data-sort="name">Channel${columnHeads(channelColumns)}
${folders.map((folder) => folderRows(folder, channelColumns.length, people))}
</table></div>`;
}

const groupLink = (names: ReadonlyMap<number, string>) => (id: number) =>
  html`<a href="#g${id}">${groupTitle(names.get(id) ?? "")}</a>`;

function groupRow(row: GroupRow, report: Report, names: ReadonlyMap<number, string>): Html {
  const { id, name, role, deactivated, people, guests, bots, direct, contains, within, uses, cells } = row;
  const used = uses.map(
    ({ title, count, rows }) =>
      html`<li>${title}: ${separated(rows.map(rowLink))}${count > rows.length && html` and ${countText(count - rows.length)} more`}`,
  );
  const label = role ? "role" : `${countText(direct)} direct`;
  const size: TableCell = { label, people, guests, bots, set: row.set, groups: [] };
  return html`
<tr id="g${id}"><th scope=row><b>${groupTitle(name)}</b>${
    deactivated && html`<small>deactivated</small>`
  }${cellOf(size, report.people)}<td>${listWithRest(contains.map(groupLink(names)), 6)}<td>${listWithRest(
    within.map(groupLink(names)),
    6,
  )}<td>${used.length > 0 && html`<ul>${used}</ul>`}${
    role ? report.groupColumns.map(() => html`<td>`) : cells.map((cell) => cellOf(cell, report.people))
  }`;
}

export function groupTable(report: Report): Html {
  const names = new Map(report.groups.map(({ id, name }) => [id, name]));
  return html`
<div class="scroll tall" tabindex="0" role="region" aria-label="Table of groups">
<table id="group-table" class="matrix groups n${report.groupColumns.length}${sizeClass(report.groups.length)}">
<thead><tr><th scope="col" data-sort="name">Group<th scope="col" data-sort="people">People<th scope="col">Contains<th scope="col">Part of<th scope="col">Used by${columnHeads(
    report.groupColumns,
  )}
<tbody>${report.groups.map((row) => groupRow(row, report, names))}
</table></div>`;
}

const accountRow = ({ id, name, email, role, bot, guest, owner, groups, channels, extras }: AccountRow): Html => html`
<tr id="u${id}"${bot && html` data-bot`}${guest && html` data-guest`}><th scope=row><b>${visibleName(name)}</b><small>${email}</small><td>${role}${
  bot && html`<small>bot${owner !== undefined && html` of <bdi>${visibleName(owner)}</bdi>`}</small>`
}<td>${listWithRest(groups.map(rowLink), 8)}<td class=n>${countText(channels)}<td>${extras}`;

export const peopleTable = ({ accounts }: Report): Html => html`
<div class="scroll tall" tabindex="0" role="region" aria-label="Table of people and bots">
<table id="people-table" class="people${sizeClass(accounts.length)}">
<thead><tr><th scope="col" data-sort="name">Name<th scope="col" data-sort="role">Role<th scope="col">Groups<th scope="col" class=n data-sort="channels">Channels<th scope="col">More than others of the role
<tbody>${accounts.map(accountRow)}
</table></div>`;
