/** Prints a result in any form. */

import { isMapping } from "../common/object-members.ts";
import type { UnparsedRecords } from "../wire/large-list/unparsed-records.ts";
import { sortAndLimit } from "./arrange.ts";
import { write } from "./buffered-writer.ts";
import { checkFields, chosenFields, columnField, memberField, type OutputField } from "./chosen-fields.ts";
import type { Column, FilteredForm, Listing, OutputOptions, OutputWorld, Result, Row } from "./form.ts";
import { printLine, wrapping } from "./line.ts";
import { escaped, jsonText, sanitizeLine, sanitizeLines, sanitizeText } from "./sanitize.ts";
import { cellText } from "./table-cell.ts";
import { numbersOf, unparsedJsonLines, unparsedRows } from "./unparsed-lines.ts";
import { isoTime, timeMembers } from "./when.ts";
import { csvCell, csvRow } from "./write-csv.ts";
import { batchesOf, collect, peek, type RecordSource, writeRecords } from "./write-records.ts";

/** The number of records that decide which fields exist, if nothing else does. */
const sample = 256;

/** Turns results into records. A single object is not printed as a list. */
interface Sheet
  extends Pick<
    Listing,
    "allFields" | "emptyFields" | "optionalFields" | "note" | "hidesEmptyTable" | "readsToEnd" | "id"
  > {
  records: RecordSource<Row>;
  list: boolean;
  columns: Column[];
  /** Replaces the table. */
  sentences?: readonly string[];
  /** Of a change. */
  ids?: unknown[];
}

const none = () => undefined;

function sheetOf(result: Result): Sheet {
  switch (result.kind) {
    case "listing":
      return { ...result, list: true, sentences: result.lines };
    case "single": {
      const { record, columns, id = none, lines } = result;
      const words = lines === undefined ? {} : { sentences: [lines].flat(), ids: [] };
      return { records: [record], list: false, columns, id, ...words };
    }
    case "change": {
      const { answer, sentence, ids, raw } = result;
      const said = raw ? {} : { sentences: [sentence], ids };
      return { records: [answer], list: false, columns: [], id: none, ...said };
    }
    case "changes": {
      const { outcomes, sentences, ids } = result;
      return { records: outcomes, list: true, columns: [], id: none, sentences, ids };
    }
  }
}

const members = (record: unknown): string[] => (isMapping(record) ? Object.keys(record) : []);

/** Returns the fields to print, checked against the first records if nothing else names them. Undefined for all. */
async function withFields(
  sheet: Sheet,
  { form, fields }: OutputOptions,
): Promise<{ sheet: Sheet; fields?: OutputField[] }> {
  const { columns, allFields, optionalFields = [] } = sheet;
  const tabular = form === "csv" || form === "tsv";
  if (!fields && form === "table" && columns.length) return { sheet, fields: columns.map(columnField) };
  if (!fields && form !== "table" && !tabular) return { sheet };
  const unsure = !allFields || (!fields && Array.isArray(sheet.records));
  const { seen, records } = unsure ? await peek(sheet.records, sample, tabular) : { seen: [], records: sheet.records };
  const all = new Set([...(allFields ?? []), ...seen.flatMap(members)]);
  let names = [...[...all].filter((name) => !optionalFields.includes(name)), ...optionalFields];
  const heads = columns.map(({ head }) => head);
  if (fields) {
    if (allFields || seen.length) checkFields(fields, [...heads, ...names]);
    const chosen = chosenFields(fields, { columns, known: names, forPeople: form === "table", exactHeads: true });
    return { sheet: { ...sheet, records }, fields: chosen };
  }
  // An empty list has the header of a full one. Without known fields it has the names of columns.
  if (!allFields && !seen.length) {
    const optional = names;
    names = [...(sheet.emptyFields?.() ?? []).filter((name) => !optional.includes(name)), ...optional];
    if (names.length === optional.length) names = [];
  }
  if (!names.length && !seen.length) return { sheet: { ...sheet, records }, fields: heads.map(memberField) };
  const instead = columns.filter(({ insteadOf }) => insteadOf !== undefined);
  const kept = names.filter((name) => !instead.some(({ insteadOf }) => insteadOf === name));
  return { sheet: { ...sheet, records }, fields: [...kept.map(memberField), ...instead.map(columnField)] };
}

/** Missing fields stay absent. */
const pickFields = (record: Row, fields: OutputField[] | undefined): unknown =>
  fields
    ? Object.fromEntries(fields.map(({ name, of }) => [name, of(record)]).filter(([, value]) => value !== undefined))
    : record;

async function printTable(
  sheet: Sheet,
  fields: OutputField[],
  { color, fields: chosen, quiet, empty }: OutputOptions,
  { stdout, stderr, env }: OutputWorld,
): Promise<void> {
  // Before the records, which may be changes: the program may be replaced while they are made.
  const { chalkFor, colorLevel, resultColorLevel } = await import("./color.ts");
  const { tabSeparated } = await import("./tab-separated.ts");
  const drawing = stdout.isTerminal ? await import("./table.ts") : undefined;
  const chalk = chalkFor(resultColorLevel(color, stdout, env));
  const source = await collect(sheet.records, (record) => record);
  const piped = sheet.list && !stdout.isTerminal;
  const records = piped ? [] : [...source];
  const same = (text: string) => text;
  if (sheet.hidesEmptyTable && stdout.isTerminal && !records.length) return;
  if (sheet.list && stdout.isTerminal && !records.length && empty !== undefined) {
    if (!quiet) await printLine(stderr, empty).catch(() => {});
    return;
  }
  if (sheet.list && !fields.length) return drain(records);
  let leftOut: string[] = [];
  if (piped) await writeRecords(tabSeparated(source, fields, chalk), same, stdout);
  else if (drawing && sheet.list) {
    const room = { columns: stdout.columns || 80, everything: chosen !== undefined };
    const table = drawing.drawTable(records, fields, room, chalk);
    await writeRecords(table.rows, same, stdout);
    leftOut = table.leftOut;
  } else if (drawing) for (const record of records) await write(stdout, drawing.describeRecord(record, fields, chalk));
  else {
    const [record = {}] = records;
    const rows = fields.map(({ name, of }) => `${sanitizeLine(name)}\t${cellText(of(record))}\n`);
    await write(stdout, ["FIELD\tVALUE\n", ...rows].join(""));
  }
  if (quiet) return;
  const note = typeof sheet.note === "function" ? sheet.note() : sheet.note;
  const notes = note ? [note] : [];
  if (leftOut.length) notes.push(`Hidden columns: ${leftOut.join(", ")}. Show them with --fields or -o json.`);
  const aside = chalkFor(colorLevel(color, stderr, env));
  // A note that cannot be printed is not an error.
  const lines = await wrapping(stderr);
  for (const line of notes) await stderr.write(`${aside.dim(lines(sanitizeLine(line)))}\n`).catch(() => {});
}

async function printJson(sheet: Sheet, fields: OutputField[] | undefined, { stdout }: OutputWorld): Promise<void> {
  const indent = stdout.isTerminal ? 2 : 0;
  const all = await collect(sheet.records, (record) => jsonText(pickFields(record, fields), indent));
  if (!sheet.list) return writeRecords(all, (text) => `${text}\n`, stdout);
  // People get a line for each member. Programs, `grep` and `diff` get a line for each record.
  const between = indent ? ",\n  " : ",\n";
  let before = indent ? "[\n  " : "[";
  const item = (text: string) => {
    const piece = before + (indent ? text.replaceAll("\n", "\n  ") : text);
    before = between;
    return piece;
  };
  await writeRecords(all, item, stdout);
  const end = indent ? "\n]\n" : "]\n";
  if (!stdout.isClosed) await write(stdout, before === between ? end : "[]\n");
}

async function printJqResults(
  sheet: Sheet,
  fields: OutputField[] | undefined,
  filter: string,
  { jqForm, color, quiet, empty }: OutputOptions,
  world: OutputWorld,
): Promise<void> {
  const { stdout, stderr, signals } = world;
  const { filtered } = await import("./jq.ts");
  const all = [...(await collect(sheet.records, (record) => jsonText(pickFields(record, fields))))];
  const { results, messages } = await filtered(sheet.list ? `[${all.join(",")}]` : all.join(), filter, signals);
  if (messages) await stderr.write(`${sanitizeLines(messages)}\n`).catch(() => {});
  if (jqForm) {
    const records = filteredRecords(results, jqForm);
    const choice: OutputOptions = { form: jqForm, color, quiet, empty };
    return printResult({ kind: "listing", records, columns: [], id: none }, choice, world);
  }
  const bare = stdout.isTerminal ? sanitizeLines : sanitizeText;
  const lineOf = (json: string) => (json.startsWith('"') ? bare(JSON.parse(json)) : escaped(json));
  await writeRecords(results, (json) => `${lineOf(json)}\n`, stdout);
}

async function printYaml(sheet: Sheet, fields: OutputField[] | undefined, { stdout }: OutputWorld): Promise<void> {
  const { yamlText } = await import("./yaml.ts");
  const make = (record: Row) => yamlText(sheet.list ? [pickFields(record, fields)] : pickFields(record, fields));
  const all = [...(await collect(sheet.records, make))];
  await writeRecords(all.length ? all : ["[]\n"], (text) => text, stdout);
}

const inIsoTime = (field: OutputField): OutputField =>
  timeMembers.has(field.member ?? "") ? { name: field.name, of: (record) => isoTime(field.of(record)) } : field;

async function printRows(
  sheet: Sheet,
  all: OutputField[],
  form: "csv" | "tsv",
  { stdout }: OutputWorld,
): Promise<void> {
  const fields = all.map(inIsoTime);
  // An answer without members has no header and no row.
  if (!fields.length) return drain(sheet.records);
  const shown = stdout.isTerminal ? sanitizeLines : (text: string) => text;
  const row = (cells: unknown[]) =>
    csvRow(
      form,
      cells.map((cell) => shown(csvCell(cell))),
    );
  const rowOf = (record: Row) => row(fields.map(({ of }) => of(record)));
  await writeRecords(sheet.records, rowOf, stdout, {
    head: row(fields.map(({ name }) => name)),
    readsToEnd: sheet.readsToEnd,
    renderBatch: stdout.isTerminal ? undefined : unparsedRows(form, fields, rowOf),
  });
}

/** Prints nothing. A failing read still fails, and a change continues. */
const drain = async (records: RecordSource<Row>): Promise<void> => {
  for await (const batch of batchesOf(records)) for (const _ of batch);
};

const idLine = (id: unknown) => (id === undefined || id === null ? undefined : `${cellText(id)}\n`);

async function printIds({ id, ids, readsToEnd, records }: Sheet, { stdout }: OutputWorld): Promise<void> {
  if (ids) return writeRecords(ids, idLine, stdout);
  const idOf = typeof id === "string" ? (record: Row) => record[id] : id;
  const renderBatch = typeof id === "string" ? (unparsed: UnparsedRecords) => numbersOf(id, unparsed) : undefined;
  await writeRecords(records, (record) => idLine(idOf(record)), stdout, { readsToEnd, renderBatch });
}

export async function printResult(result: Result, choice: OutputOptions, world: OutputWorld): Promise<void> {
  const raw = "raw" in result ? result.raw : undefined;
  const form = raw && choice.form === "table" && !choice.fields ? "json" : choice.form;
  const { stdout } = world;
  const stated = sheetOf(result);
  const order = result.kind === "listing" && form === "table" ? result.tableOrder : undefined;
  // A limit of a command that changes messages is not one of its results, which must be read to their end.
  const limit = stated.readsToEnd ? undefined : choice.limit;
  const arranged = { limit, sort: choice.sort ?? order };
  const whole = result.kind === "listing" ? { ...stated, records: await sortAndLimit(stated, arranged) } : stated;
  if (form === "none") return drain(whole.records);
  if (raw?.head !== undefined) await write(stdout, raw.head);
  if (form === "ids") return printIds(whole, world);
  if (form === "table" && whole.sentences && !choice.fields) {
    const lines = await wrapping(stdout);
    return writeRecords(whole.sentences, (sentence) => `${lines(sanitizeLine(sentence))}\n`, stdout);
  }
  const { sheet, fields } = await withFields(whole, choice);
  switch (form) {
    case "table":
      return printTable(sheet, fields ?? [], choice, world);
    case "json":
      return choice.jq === undefined
        ? printJson(sheet, fields, world)
        : printJqResults(sheet, fields, choice.jq, choice, world);
    case "ndjson":
      return writeRecords(sheet.records, (record) => `${jsonText(pickFields(record, fields))}\n`, stdout, {
        readsToEnd: sheet.readsToEnd,
        renderBatch: fields ? undefined : unparsedJsonLines,
      });
    case "yaml":
      return printYaml(sheet, fields, world);
    case "csv":
    case "tsv":
      return printRows(sheet, fields ?? [], form, world);
  }
}

const isList = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isMapping);

/** Lists of objects give their objects. In rows, any other value is the cell of a column `value`. */
function filteredRecords(results: readonly string[], form: FilteredForm): unknown[] {
  const values: unknown[] = results.map((json) => JSON.parse(json));
  const records = values.every(isList) ? values.flat() : values;
  const hasRows = form === "table" || form === "csv" || form === "tsv";
  return hasRows ? records.map((record) => (isMapping(record) ? record : { value: record })) : records;
}
