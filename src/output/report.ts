/** The requests of a dry run. */
import type { ChalkInstance } from "chalk";
import { brush, resultColorLevel } from "./color.ts";
import type { Choice, Place, Row } from "./form.ts";
import { printResult } from "./print.ts";
import { jsonText, sanitizeLine } from "./sanitize.ts";
import { writeRecords } from "./write-records.ts";

/** A request as it would be sent; secrets are masked already. */
export interface ShownRequest {
  /** Whose it is, where several organizations get some. */
  profile?: string;
  operation: string;
  method: string;
  /** Absolute. */
  url: string;
  /** Decoded. */
  parameters: Row;
  /** What is there now, under the names of the parameters. */
  from?: Readonly<Row>;
  /** Absent for reads. */
  body?: string;
  /** The parameters as people read them, where that is more than their values. */
  inWords?: [name: string, text: string][];
}

/**
 * Values stand as JSON, so that the text `"7"` and the number `7`, or `""` and `null`, can be told apart. `exact` adds
 * what goes over the wire: the query of a read, the body of a change.
 */
function forPeople(planned: ShownRequest, chalk: ChalkInstance, exact: boolean): string {
  const { profile, operation, method, url, parameters, body, inWords } = planned;
  const whose = profile === undefined ? "" : `${sanitizeLine(profile)}: `;
  const values = inWords ?? Object.entries(parameters).map(([name, value]) => [name, jsonText(value)]);
  const lines = [
    `${whose}${chalk.bold(sanitizeLine(method))} ${sanitizeLine(exact ? url : url.replace(/\?.*$/s, ""))}  ${chalk.dim(sanitizeLine(operation))}`,
    ...values.map(([name, text]) => `  ${sanitizeLine(name)} = ${sanitizeLine(text)}`),
    ...(!body || !exact ? [] : [`  ${chalk.dim("body:")} ${sanitizeLine(body)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** `json` (also with a filter), `ndjson` and `yaml` give the requests as data, `none` nothing, every other form words for people. */
export async function printPlan(
  plan: Iterable<ShownRequest> | AsyncIterable<ShownRequest>,
  choice: Choice,
  world: Place,
  { exact = false } = {},
): Promise<void> {
  const { form, jq, color } = choice;
  if (form === "json" || form === "ndjson" || form === "yaml" || form === "none") {
    const records = ordered(plan);
    return printResult({ kind: "listing", records, columns: [], id: () => undefined }, { form, jq, color }, world);
  }
  const { stdout, env } = world;
  const chalk = brush(resultColorLevel(color, stdout, env));
  await writeRecords(plan, (planned: ShownRequest) => forPeople(planned, chalk, exact), stdout);
}

/** The members in the contract's order, and no others. */
async function* ordered(plan: Iterable<ShownRequest> | AsyncIterable<ShownRequest>): AsyncGenerator<Row> {
  for await (const { profile, operation, method, url, parameters, from, body } of plan)
    yield {
      ...(profile !== undefined && { profile }),
      operation,
      method,
      url,
      parameters,
      ...(from && { from }),
      ...(body === undefined ? {} : { body }),
    };
}
