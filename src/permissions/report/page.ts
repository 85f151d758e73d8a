/** Writes a report as one HTML file without external parts. */
import { createHash } from "node:crypto";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Finding } from "../findings/all-findings.ts";
import type { FindingItem } from "../findings/finding-items.ts";
import { countText, visibleName } from "../titles.ts";
import type { TableCell } from "./cells.ts";
import type { Count } from "./head.ts";
import { type Html, html, jsonData, trusted } from "./html.ts";
import type { Report } from "./make-report.ts";
import { picture } from "./picture.ts";
import style from "./report.css?raw";
import script from "./report.page.js?raw";
import { channelTable, groupTable, listWithRest, organizationTable, peopleTable, rowLink } from "./tables.ts";

/** Classes for lengths of bars and numbers of columns: the page's policy forbids style attributes. */
const numberClasses = [...Array(101).keys()].map((n) => `.p${n}{--p:${n}%}.q${n}{--q:${n}%}.n${n}{--n:${n}}`).join("");

const styleSheet = `${style}${numberClasses}`;

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(styleSheet)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const count = ({ title, count, parts }: Count): Html => html`
<div><dt>${title}</dt><dd><b>${countText(count)}</b>${
  parts.length > 0 &&
  html`<ul>${parts.map((part) => html`<li><span>${part.title}</span> <b>${countText(part.count)}</b></li>`)}</ul>`
}</dd></div>`;

/** Returns the row of a finding. Invitations have none. */
function rowIdOf({ kind, id, permission }: FindingItem["target"]): string | undefined {
  if (kind === "organization") return permission === null ? "organization" : `o-${permission}`;
  return kind === "invitation" ? undefined : `${kind === "bot" ? "u" : kind.slice(0, 1)}${id}`;
}

function item({ target, words, detail }: FindingItem): Html {
  const row = rowIdOf(target);
  const name = row === undefined ? words : rowLink({ row, text: words });
  return html`${name}${detail !== undefined && html` <small>${detail}</small>`}`;
}

const listOf = (items: readonly FindingItem[]): Html =>
  html`<ul class="items">${items.map((one) => html`<li>${item(one)}`)}</ul>`;

/** Lists items, one a line if they have details. */
function itemsOf(items: readonly FindingItem[]): Html {
  if (items.every(({ detail }) => detail === undefined)) return html`<p>${listWithRest(items.map(item), 10)}</p>`;
  const rest = items.slice(10);
  return html`${listOf(items.slice(0, 10))}${
    rest.length > 0 && html`<details><summary>and ${countText(rest.length)} more</summary>${listOf(rest)}</details>`
  }`;
}

const finding = ({ name, severity, title, note, items }: Finding): Html => html`
<li id="finding-${name}"><h3>${title} <span class="count">${countText(items.length)}</span></h3><p class="note">${note}${
  severity !== "info" && html` <a href="#finding-${name}"><code>${name}</code></a>, ${severity}`
}</p>${itemsOf(items)}</li>`;

function findings({ findings, clear, unknown }: Report): Html {
  const warnings = findings.filter(({ severity }) => severity !== "info");
  const other = findings.filter(({ severity }) => severity === "info");
  return html`
${warnings.length > 0 ? html`<ul class="findings warnings">${warnings.map(finding)}</ul>` : html`<p>There is nothing that stands out.</p>`}
${other.length > 0 && html`<h3 class="sub">To know</h3><ul class="findings">${other.map(finding)}</ul>`}
${clear.length > 0 && html`<p class="clear"><b>Looked for and not found:</b> ${clear.join("; ")}.</p>`}
${unknown.length > 0 && html`<p class="clear"><b>Not known:</b> ${unknown.join("; ")}.</p>`}`;
}

/** Returns the script's data: for each cell, in the order of the page, its set and its groups. */
function data({ permissions, folders, groups, sets }: Report): Html {
  const cells: Pick<TableCell, "set" | "groups" | "setting" | "unknown">[] = [
    ...permissions.map(({ cell }) => cell),
    ...folders.flatMap(({ channels }) => channels.flatMap((row) => row.cells)),
    ...groups.flatMap((row) => [{ set: row.set, groups: [] }, ...(row.role ? [] : row.cells)]),
  ];
  return jsonData({
    sets,
    cells: cells.map(({ set, groups, setting, unknown }) => [
      set,
      groups,
      setting === undefined ? 0 : sanitizeLine(setting),
      ...(unknown === undefined ? [] : [unknown]),
    ]),
    inside: Object.fromEntries(
      groups.filter(({ contains }) => contains.length).map(({ id, contains }) => [id, contains]),
    ),
  });
}

export function page(report: Report): string {
  const { organization, facts, warning, counts } = report;
  const name = visibleName(organization);
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Who may do what: ${name}</title>
<style>${trusted(styleSheet)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header>
<p class="over">Who may do what</p>
<h1><bdi>${name}</bdi></h1>
<dl class="facts">${facts.map(({ title, text }) => html`<div><dt>${title}</dt><dd><bdi>${text}</bdi></dd></div>`)}</dl>
${warning !== undefined && html`<p class="warning"><b>${warning}</b></p>`}
<dl class="counts">${counts.map(count)}</dl>
</header>
<div class="bar">
<nav aria-label="Sections"><a href="#findings">Findings</a> <a href="#organization">Organization</a> <a href="#channels">Channels</a> <a href="#groups">Groups</a> <a href="#people">People</a></nav>
<p class="said" role="status" id="said"></p>
<div class="person" role="search" aria-label="What somebody may" hidden><label for="person">Show what may</label><span class="combo"><input id="person" type="text" role="combobox" autocomplete="off" spellcheck="false" aria-expanded="false" aria-controls="choices" aria-autocomplete="list" placeholder="a person, a bot, a group"><ul id="choices" role="listbox" aria-label="People and groups" hidden></ul></span><button type="button" id="nobody" hidden>Clear</button></div>
</div>
<main>
<section id="findings" aria-labelledby="findings-head"><h2 id="findings-head">Findings</h2>
${findings(report)}
</section>
<section id="organization" aria-labelledby="organization-head"><h2 id="organization-head">The organization</h2>
<p class="legend">Each cell names the group in the setting, or, where other rules decide too, who it really is. The number and the bar <span class="key"></span> are the people who may; the last part of the bar <span class="key guests"></span> are guests. Bots are counted apart.</p>
${organizationTable(report)}
</section>
<section id="channels" aria-labelledby="channels-head"><h2 id="channels-head">Channels</h2>
<div class="tools" hidden><label for="channel-filter">Filter channels</label><input id="channel-filter" type="search" autocomplete="off" spellcheck="false" data-table="channel-table"><button type="button" id="by-folder" hidden>By folder</button><span class="shown" role="status"></span></div>
${channelTable(report)}
</section>
<section id="groups" aria-labelledby="groups-head"><h2 id="groups-head">Groups</h2>
<p class="legend">An arrow leads from a group to one that is in it. Whoever is in a group counts for every group on its left.</p>
${picture(report)}
<div class="tools" hidden><label for="group-filter">Filter groups</label><input id="group-filter" type="search" autocomplete="off" spellcheck="false" data-table="group-table"><span class="shown" role="status"></span></div>
${groupTable(report)}
</section>
<section id="people" aria-labelledby="people-head"><h2 id="people-head">People and bots</h2>
<div class="tools" hidden><label for="people-filter">Filter people and bots</label><input id="people-filter" type="search" autocomplete="off" spellcheck="false" data-table="people-table"><span class="shown" role="status"></span></div>
${peopleTable(report)}
</section>
</main>
<footer>${footnotes.map((text) => html`<p>${text}</p>`)}</footer>
<div id="tip" role="tooltip" hidden></div>
<dialog id="who" aria-labelledby="who-head"><form method="dialog"><button aria-label="Close">×</button></form><h2 id="who-head"></h2><p id="who-note"></p><ul id="who-list"></ul></dialog>
<script type="application/json" id="data">${data(report)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return markup;
}

const footnotes = [
  '"May" means that the account\'s own request would pass every check of rights that this page can know of. Active accounts alone are counted.',
  "Not in it: time limits, limits of plans, licences and rates; who was subscribed when; rights that only the server's command line gives; deactivated people, whom servers leave out of groups, settings and subscriptions until they are back.",
];
