/** A result in each of its forms. */

import { BufferedWriter, bufferedTexts, joined, type Piece, write } from "./buffered-writer.ts";
import { cellText } from "./cell.ts";
import { csvCell, csvRows } from "./csv.ts";
import { checkFields, chosenFields, type Field, memberField } from "./fields.ts";
import type { Choice, Column, Listing, Place, Result, Row } from "./form.ts";
import { jsonText } from "./json.ts";
import { linesOf, numbersOf } from "./lines.ts";
import { sanitizeLine, sanitizeLines, sanitizeText } from "./sanitize.ts";
import { rowsOf } from "./skimmed-rows.ts";
import { batchesOf, collect, peek, type Source, writeRecords } from "./write-records.ts";

/** How many records tell what fields there are, where nothing else does and more are still to come. */
const sample = 256;

/** Results of every kind as records: one object is a list of one that is not printed as a list. */
interface Sheet {
  records: Source<Row>;
  list: boolean;
  columns: Column[];
  known?: readonly string[];
  rare?: readonly string[];
  note?: Listing["note"];
  sparse?: boolean;
  persists?: boolean;
  id: Listing["id"];
  /** Words in place of a table, and of a change the ids there are. */
  words?: { sentences: string[]; ids?: unknown[] };
}

const none = () => undefined;

const listingSheet = (listing: Listing<Row>): Sheet => ({
  ...listing,
  list: true,
  ...(listing.said && { words: { sentences: [...listing.said] } }),
});

function sheetOf(result: Result): Sheet {
  switch (result.kind) {
    case "listing":
      return listingSheet(result as Listing<Row>);
    case "single":
      return {
        records: [result.record],
        list: false,
        columns: result.columns,
        id: result.id ?? none,
        ...(result.said !== undefined && { words: { sentences: [result.said].flat(), ids: [] } }),
      };
    case "change": {
      const { answer, sentence, ids } = result;
      const words = result.raw ? undefined : { sentences: [sentence], ids };
      return { records: [answer as Row], list: false, columns: [], id: none, ...(words && { words }) };
    }
    case "changes": {
      const { outcomes, sentences, ids } = result;
      return { records: outcomes, list: true, columns: [], id: none, words: { sentences, ids } };
    }
  }
}

const members = (record: unknown): string[] =>
  typeof record === "object" && record !== null && !Array.isArray(record) ? Object.keys(record) : [];

/** What the fields are, checked against the records where only they can tell. */
async function settled(sheet: Sheet, { form, fields }: Choice): Promise<{ sheet: Sheet; fields: Field[] | undefined }> {
  const { columns, known, rare = [] } = sheet;
  const tabular = form === "csv" || form === "tsv";
  const people = form === "table";
  const described = people && columns.length > 0;
  const unsure = fields ? !known : (tabular && (!known || Array.isArray(sheet.records))) || (people && !described);
  const { seen, records } = unsure ? await peek(sheet.records, sample, tabular) : { seen: [], records: sheet.records };
  const there = { ...sheet, records };
  const names = () => {
    const all = new Set(known);
    for (const record of seen) for (const name of members(record)) all.add(name);
    return [...[...all].filter((name) => !rare.includes(name)), ...rare];
  };
  if (fields) {
    if (known || seen.length) checkFields(fields, [...columns.map(({ head }) => head), ...names()]);
    return { sheet: there, fields: chosenFields(fields, { columns, known: names(), forPeople: people }) };
  }
  if (described)
    return { sheet: there, fields: columns.map((column) => ({ name: column.head, of: column.value, column })) };
  if (!tabular && !people) return { sheet: there, fields: undefined };
  const all = names();
  // A header stands over no rows as well; where nobody knows the fields, the columns' names are the next best.
  const header = all.length || seen.length ? all : columns.map(({ head }) => head);
  return { sheet: there, fields: header.map(memberField) };
}

/** Fields that a record lacks stay absent. */
const picked = (record: Row, fields: Field[] | undefined): unknown =>
  fields
    ? Object.fromEntries(fields.map(({ name, of }) => [name, of(record)]).filter(([, value]) => value !== undefined))
    : record;

async function printTable(
  sheet: Sheet,
  fields: Field[],
  { color, fields: chosen, quiet }: Choice,
  { stdout, stderr, env }: Place,
): Promise<void> {
  const { brush, colorLevel, resultColorLevel } = await import("./color.ts");
  const { described, drawn, tabbed } = await import("./table.ts");
  const chalk = brush(resultColorLevel(color, stdout, env));
  const records = [...(await collect(sheet.records, (record) => record))];
  const lines = bufferedTexts(stdout);
  const same = (text: string) => text;
  if (sheet.sparse && stdout.isTerminal && !records.length) return;
  let leftOut: string[] = [];
  if (sheet.list && stdout.isTerminal) {
    const room = { columns: stdout.columns || 80, everything: chosen !== undefined };
    const table = await drawn(records, fields, room, chalk);
    await writeRecords(table.texts, same, lines, stdout);
    leftOut = table.leftOut;
  } else if (sheet.list) await writeRecords(tabbed(records, fields, chalk), same, lines, stdout);
  else if (stdout.isTerminal) for (const record of records) await write(stdout, await described(record, fields, chalk));
  else {
    const [record = {}] = records;
    const rows = fields.map(({ name, of }) => `${sanitizeLine(name)}\t${cellText(of(record))}\n`);
    await write(stdout, ["FIELD\tVALUE\n", ...rows].join(""));
  }
  const note = typeof sheet.note === "function" ? sheet.note() : sheet.note;
  const notes = note ? [note] : [];
  if (leftOut.length) notes.push(`Columns left out: ${leftOut.join(", ")}. Use --fields or -o json.`);
  if (quiet) return;
  const aside = brush(colorLevel(color, stderr, env));
  // A note that cannot be shown is no reason to fail.
  for (const line of notes) await stderr.write(`${aside.dim(sanitizeLine(line))}\n`).catch(() => {});
}

async function printJson(sheet: Sheet, fields: Field[] | undefined, { stdout }: Place): Promise<void> {
  const indent = stdout.isTerminal ? 2 : 0;
  const make = (record: Row) => jsonText(picked(record, fields), indent);
  const texts = bufferedTexts(stdout);
  const all = await collect(sheet.records, make);
  if (!sheet.list) return writeRecords(all, (text) => `${text}\n`, texts, stdout);
  // People see every member on a line of its own; programs, `grep` and `diff` a record a line.
  const between = indent ? ",\n  " : ",\n";
  let before = indent ? "[\n  " : "[";
  const item = (text: string) => {
    const piece = before + (indent ? text.replaceAll("\n", "\n  ") : text);
    before = between;
    return piece;
  };
  await writeRecords(all, item, texts, stdout);
  const end = indent ? "\n]\n" : "]\n";
  if (!stdout.gone) await write(stdout, before === between ? end : "[]\n");
}

async function printFiltered(
  sheet: Sheet,
  fields: Field[] | undefined,
  { jq = "." }: Choice,
  world: Place,
): Promise<void> {
  const { filtered } = await import("./jq.ts");
  const all = [...(await collect(sheet.records, (record) => jsonText(picked(record, fields))))];
  const { stdout, stderr, signals } = world;
  const bare = stdout.isTerminal ? sanitizeLines : sanitizeText;
  const { results, words } = await filtered(sheet.list ? `[${all.join(",")}]` : all.join(), jq, { bare, signals });
  if (words) await stderr.write(`${sanitizeLines(words)}\n`).catch(() => {});
  await writeRecords(results, (line) => `${line}\n`, bufferedTexts(stdout), stdout);
}

async function printYaml(sheet: Sheet, fields: Field[] | undefined, { stdout }: Place): Promise<void> {
  const { yamlText } = await import("./yaml.ts");
  const make = (record: Row) => yamlText(sheet.list ? [picked(record, fields)] : picked(record, fields));
  const texts = bufferedTexts(stdout);
  let some = false;
  await writeRecords(
    await collect(sheet.records, make),
    (text) => {
      some = true;
      return text;
    },
    texts,
    stdout,
  );
  if (!some && !stdout.gone) await write(stdout, "[]\n");
}

async function printRows(sheet: Sheet, fields: Field[], form: "csv" | "tsv", { stdout }: Place): Promise<void> {
  const render = await csvRows(form);
  const shown = stdout.isTerminal ? sanitizeLines : (text: string) => text;
  const row = (record: Row) => fields.map(({ of }) => shown(csvCell(of(record))));
  const rows = new BufferedWriter<string[] | Piece>(
    stdout,
    (pieces) => renderRows(pieces, render),
    (piece) => (Array.isArray(piece) ? piece.reduce((all, { length }) => all + length + 1, 1) : piece.length),
  );
  // An answer without members has neither header nor row.
  if (!fields.length) return drain(sheet.records);
  await rows.add(fields.map(({ name }) => shown(csvCell(name))));
  await writeRecords(sheet.records, row, rows, stdout, {
    persists: sheet.persists,
    ...(!stdout.isTerminal && { together: rowsOf(form, fields, (record) => render([row(record)])) }),
  });
}

/** Rows, and what are rows already. */
function renderRows(pieces: readonly (string[] | Piece)[], render: (rows: string[][]) => string): Piece {
  const all: Piece[] = [];
  let rows: string[][] = [];
  for (const piece of pieces) {
    if (Array.isArray(piece)) {
      rows.push(piece);
      continue;
    }
    if (rows.length) all.push(render(rows));
    rows = [];
    all.push(piece);
  }
  if (rows.length) all.push(render(rows));
  return joined(all);
}

/** Nothing is printed, and yet a read that fails half-way has failed, and a change goes on. */
const drain = async (records: Source<Row>): Promise<void> => {
  for await (const batch of batchesOf(records)) for (const _ of batch);
};

/** Loads what a form takes. */
export async function prepare({ form, fields }: Choice, stdout: Place["stdout"], rows: boolean): Promise<void> {
  if (form === "yaml") await import("./yaml.ts");
  if (form === "csv" || form === "tsv") await csvRows(form);
  if (form !== "table" || !(rows || fields)) return;
  const [{ prepareTable }] = await Promise.all([import("./table.ts"), import("./color.ts")]);
  if (stdout.isTerminal) await prepareTable();
}

export async function printResult(result: Result, choice: Choice, world: Place): Promise<void> {
  const raw = "raw" in result ? result.raw : undefined;
  const form = raw && choice.form === "table" && !choice.fields ? "json" : choice.form;
  const { jq } = choice;
  const { stdout } = world;
  const whole = sheetOf(result);
  const texts = bufferedTexts(stdout);
  if (form === "none") return drain(whole.records);
  if (raw?.head !== undefined) await write(stdout, raw.head);
  const idLine = (id: unknown) => (id === undefined || id === null ? undefined : `${cellText(id)}\n`);
  if (form === "ids" && whole.words?.ids) return writeRecords(whole.words.ids, idLine, texts, stdout);
  if (form === "ids") {
    const { id, persists, records } = whole;
    const of = typeof id === "string" ? (record: Row) => record[id] : id;
    return writeRecords(records, (record) => idLine(of(record)), texts, stdout, {
      persists,
      ...(typeof id === "string" && { together: (skimmed) => numbersOf(id, skimmed) }),
    });
  }
  if (form === "table" && whole.words && !choice.fields)
    return writeRecords(whole.words.sentences, (sentence) => `${sanitizeLine(sentence)}\n`, texts, stdout);
  const { sheet, fields } = await settled(whole, choice);
  switch (form) {
    case "table":
      return printTable(sheet, fields ?? [], choice, world);
    case "json":
      return jq === undefined ? printJson(sheet, fields, world) : printFiltered(sheet, fields, choice, world);
    case "ndjson":
      return writeRecords(sheet.records, (record) => `${jsonText(picked(record, fields))}\n`, texts, stdout, {
        persists: sheet.persists,
        ...(!fields && { together: linesOf }),
      });
    case "yaml":
      return printYaml(sheet, fields, world);
    case "csv":
    case "tsv":
      return printRows(sheet, fields ?? [], form, world);
  }
}
