/** `org diff --summary`: several organizations side by side. */

import { userAddress } from "../../api/users.ts";
import { outputOptions } from "../../argv/global-flags.ts";
import { andList, counted } from "../../common/counted.ts";
import { DifferenceFailure, type Failure } from "../../errors.ts";
import { sectionTitle } from "../../organization/plan/describe.ts";
import { isSettings, type SectionName, sectionNames } from "../../organization/section-names.ts";
import { sections, thingSections } from "../../organization/section-registry.ts";
import { countActive } from "../../organization/sections/section.ts";
import { type ComparedSide, type Summary, type SummaryRow, summaryOf } from "../../organization/side-summary.ts";
import { everybodyOf, type Snapshot } from "../../organization/snapshot.ts";
import { write } from "../../output/buffered-writer.ts";
import { columnField } from "../../output/chosen-fields.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { foldingFor } from "../../output/line.ts";
import { codeCell, codeSpan, table } from "../../output/markdown.ts";
import { escaped, sanitizeLine } from "../../output/sanitize.ts";
import { tabSeparated } from "../../output/tab-separated.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { contentOf, type Only, planFor, type ReadSide, snapshotOfSide } from "./sides.ts";

/** Returns the number of active things of an organization, or of things in files. */
function thingsOf(side: ReadSide, only: Only): ComparedSide["things"] {
  const chosen = thingSections.filter((name) => !only || only.includes(name));
  return Object.fromEntries(
    chosen.map((name) => [
      name,
      "document" in side ? (side.document.value[name]?.length ?? 0) : countActive(sections[name], side.snapshot),
    ]),
  );
}

async function comparedWith(context: Context, base: Snapshot, side: ReadSide, only: Only) {
  const content = contentOf(base, side, only);
  const people = "snapshot" in side ? everybodyOf(side.snapshot) : [];
  const addresses = new Set(people.map((person) => userAddress(person)?.toLowerCase()));
  return {
    plan: await planFor(context, base, side, only, content),
    has(section: SectionName, name: string): boolean {
      if (isSettings(section)) return true;
      // People who are missing in the other organization stand in the content too.
      if (section === "people" && "snapshot" in side) return addresses.has(name.toLowerCase());
      const { key, fold = (text: string) => text } = sections[section];
      return (content[section] ?? []).some((entry) => fold(String(entry[key[0] ?? ""])) === fold(name));
    },
  };
}

/** Returns the settings and things that differ. Things of the organization's settings count one by one. */
const keyOf = ({ section, name, field }: SummaryRow): string =>
  isSettings(section) ? `${section} ${field}` : `${section} ${name}`;

interface SectionCount {
  readonly section: SectionName;
  /** By side. Undefined for settings. */
  readonly things: readonly number[] | undefined;
  /** The number of things or settings that differ. */
  readonly different: number;
}

function sectionCounts(sides: readonly ComparedSide[], { rows }: Summary): SectionCount[] {
  return sectionNames.flatMap((section) => {
    const different = new Set(rows.filter((row) => row.section === section).map(keyOf)).size;
    const things = isSettings(section) ? undefined : sides.map((side) => side.things[section] ?? 0);
    return different || things?.some(Boolean) ? [{ section, things, different }] : [];
  });
}

/** `channel design: folder`, `channel design`; settings of the organization by their name alone. */
const labelOf = ({ section, title, field }: SummaryRow): string =>
  field === undefined ? title : section === "settings" ? field : `${title}: ${field}`;

interface DiffReport {
  readonly sides: readonly ComparedSide[];
  readonly summary: Summary;
  readonly counts: readonly SectionCount[];
  readonly total: number;
}

const namesOf = (sides: readonly { name: string }[]): string => andList(sides.map(({ name }) => name));

interface Cells {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** All columns but the first are numbers. */
  readonly numbers: boolean;
}

/** Returns the parts of text and Markdown. `written`: how a name is written. */
function partsOf({ sides, summary, counts, total }: DiffReport, written: (name: string) => string) {
  const names = sides.map(({ name }) => name);
  const shown = names.map(written);
  const orders = summary.orders.map(({ section, sides: others }) =>
    sides.length > 2 ? `${sectionTitle(section)} (${others.map(written).join(", ")})` : sectionTitle(section),
  );
  const base = shown[sides.findIndex(({ plan }) => !plan)] ?? "";
  const head = sides.length > 2 ? `In another order than in ${base}` : "In another order";
  const sectionTable: Cells = {
    heads: ["section", ...names, "different"],
    rows: counts.map(({ section, things, different }) => [
      sectionTitle(section),
      ...sides.map((_, n) => String(things?.[n] ?? "")),
      String(different || ""),
    ]),
    numbers: true,
  };
  const rows = summary.rows.map((row) => [labelOf(row), ...row.words]);
  const valueTable: Cells = { heads: ["setting", ...names], rows, numbers: false };
  return {
    names: shown,
    total: total ? `${counted(total, "thing differs", "things differ")}.` : `No differences between ${andList(shown)}.`,
    tables: rows.length ? [sectionTable, valueTable] : [sectionTable],
    orders: orders.length ? [`${head}: ${orders.join(", ")}.`] : [],
    refused: summary.refused.map(({ side, title, says }) => `${side}: ${title}: ${says}`),
  };
}

async function printText({ world, flags }: Context, report: DiffReport): Promise<void> {
  const { stdout } = world;
  const chalk = chalkFor(resultColorLevel(flags.color, stdout, world.env));
  const drawing = stdout.isTerminal ? await import("../../output/table.ts") : undefined;
  const columns = stdout.columns || 80;
  const fold = await foldingFor(stdout);
  const drawn = ({ heads, rows, numbers }: Cells): string => {
    const last = heads.length - 1;
    const fields = heads.map((head, n) =>
      columnField({
        head: n === 0 || (numbers && n === last) ? head.toUpperCase() : escaped(head),
        value: (record) => record[n],
        ...(numbers && n > 0 && { align: "right" }),
      }),
    );
    // Invisible characters make a value different, so show them.
    const records = rows.map((cells) => Object.fromEntries(cells.map((cell, n) => [n, escaped(cell)])));
    return drawing
      ? [...drawing.drawTable(records, fields, { columns, everything: true }, chalk).rows].join("")
      : [...tabSeparated(records, fields, chalk)].join("");
  };
  const lines = (all: readonly string[]) => all.map((line) => `${fold(sanitizeLine(escaped(line)), 2)}\n`).join("");
  const { total, tables, orders, refused } = partsOf(report, (name) => name);
  const sides = report.sides.map(({ name, site }) => (site === undefined ? name : `${name} (${site})`));
  const details = [
    lines([sides.join(", ")]),
    ...tables.map(drawn),
    lines([...orders, ...refused.map((line) => `✗ ${line}`)]),
  ];
  await write(stdout, [...(report.total ? details : []), lines([total])].filter(Boolean).join("\n"));
}

function markdownTable({ heads, rows, numbers }: Cells): string {
  const cells = rows.map(([first = "", ...others]) => [
    numbers ? first : codeCell(first),
    ...others.map((cell) => (numbers ? cell : codeCell(cell))),
  ]);
  const names = heads.map((name, n) => (n === 0 || (numbers && n === heads.length - 1) ? name : codeCell(name)));
  return table(names, cells, (column) => numbers && column > 0);
}

function markdownOf(report: DiffReport): string {
  const { names, total, tables, orders, refused } = partsOf(report, codeSpan);
  const refusals = refused.map((line) => `- ${codeSpan(line)}`).join("\n");
  const details = [`**${total}**`, ...tables.map(markdownTable), ...orders, refusals];
  const parts = [`### Comparison of ${names.join(", ")}`, ...(report.total ? details : [total])];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Returns the comparison as `-o json` prints it. */
function recordOf({ sides, summary, counts }: DiffReport): Record<string, unknown> {
  return {
    sides: sides.map(({ name, site }) => ({ name, ...(site !== undefined && { site }) })),
    sections: counts.map(({ section, things, different }) => ({ section, ...(things && { things }), different })),
    differences: summary.rows.map(({ section, name, field, values }) => ({
      ...{ section, name },
      ...(field === undefined ? { states: values } : { field, values }),
    })),
    orders: summary.orders,
    ...(summary.refused.length && {
      refused: summary.refused.map(({ side, section, name, says }) => ({ side, section, name, says })),
    }),
  };
}

/** Compares all sides with the base, which is one of them, and prints what differs. */
export async function summarize(
  context: Context,
  sides: readonly ReadSide[],
  base: ReadSide,
  { only, exitCode }: { only?: Only; exitCode?: boolean | undefined },
): Promise<Conclusion | undefined> {
  const before = await snapshotOfSide(context, base, sides, only);
  const compared: ComparedSide[] = [];
  for (const side of sides) {
    compared.push({
      name: side.name,
      site: "snapshot" in side ? side.snapshot.site : undefined,
      things: thingsOf(side, only),
      ...(side === base ? { has: () => true } : await comparedWith(context, before, side, only)),
    });
  }
  const summary = summaryOf(compared);
  const { orders, refused, rows } = summary;
  const total = new Set([...rows.map(keyOf), ...orders.map(({ section }) => `order ${section}`)]).size + refused.length;
  const report: DiffReport = { sides: compared, summary, counts: sectionCounts(compared, summary), total };
  const failure: Failure | undefined =
    exitCode && total
      ? new DifferenceFailure(`${counted(total, "thing differs", "things differ")} between ${namesOf(sides)}`)
      : undefined;
  const { form } = outputOptions(context.flags);
  if (form === "markdown" || (form === "table" && !context.flags.fields)) {
    if (form === "markdown") await write(context.world.stdout, markdownOf(report));
    else await printText(context, report);
    return failure && { kind: "ended", failure };
  }
  const result = { kind: "single", record: recordOf(report), columns: [] } satisfies Conclusion;
  return failure ? { kind: "ended", failure, result } : result;
}
