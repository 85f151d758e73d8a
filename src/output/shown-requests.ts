/** The requests of a dry run. */
import type { ChalkInstance } from "chalk";
import { type ChangeEffect, effectRecord } from "../model/effect.ts";
import { markOf } from "../model/setting.ts";
import { chalkFor, resultColorLevel } from "./color.ts";
import type { OutputOptions, OutputWorld, Row } from "./form.ts";
import { printResult } from "./print.ts";
import { jsonText, sanitizeLine } from "./sanitize.ts";
import { writeRecords } from "./write-records.ts";

/** A request as it would be sent, with masked secrets. */
export interface ShownRequest {
  /** The profile, if there are several organizations. */
  profile?: string;
  operation: string;
  method: string;
  /** Absolute. */
  url: string;
  /** Decoded. */
  parameters: Row;
  /** The current values by parameter. */
  from?: Readonly<Row>;
  /** What it does to people and content. */
  effects?: readonly ChangeEffect[];
  /** Absent for reads. */
  body?: string;
  /** The parameters for people, if they differ from the values. */
  inWords?: [name: string, text: string][];
}

/** A change that is left alone, with the reason. Texts have it elsewhere. */
export interface LeftAlone {
  profile?: string;
  operation: string;
  target: string;
  outcome: "conflict" | "impossible";
  reason: string;
}

/** Formats a request. Values are JSON, so that `"7"` and `7` differ. `exact` adds the encoded query or body. */
function forPeople(planned: ShownRequest, chalk: ChalkInstance, exact: boolean): string {
  const { profile, operation, method, url, parameters, body, inWords, effects = [] } = planned;
  const prefix = profile === undefined ? "" : `${sanitizeLine(profile)}: `;
  const values = inWords ?? Object.entries(parameters).map(([name, value]) => [name, jsonText(value)]);
  const lines = [
    `${prefix}${chalk.bold(sanitizeLine(method))} ${sanitizeLine(exact ? url : url.replace(/\?.*$/s, ""))}  ${chalk.dim(sanitizeLine(operation))}`,
    ...values.map(([name, text]) => `  ${sanitizeLine(name)} = ${sanitizeLine(text)}`),
    ...effects.map((effect) => chalk.bold(`  ${markOf(effect)} ${sanitizeLine(effect.text)}`)),
    ...(!body || !exact ? [] : [`  ${chalk.dim("body:")} ${sanitizeLine(body)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Prints requests as data with `json`, `ndjson` and `yaml`, nothing with `none`, and as text otherwise. */
export async function printRequests(
  plan: Iterable<ShownRequest | LeftAlone> | AsyncIterable<ShownRequest | LeftAlone>,
  choice: OutputOptions,
  world: OutputWorld,
  { exact = false } = {},
): Promise<void> {
  const { form, jq, jqForm, color } = choice;
  if (form === "json" || form === "ndjson" || form === "yaml" || form === "none") {
    const records = ordered(plan);
    return printResult(
      { kind: "listing", records, columns: [], id: () => undefined },
      { form, jq, jqForm, color },
      world,
    );
  }
  const { stdout, env } = world;
  const chalk = chalkFor(resultColorLevel(color, stdout, env));
  await writeRecords(plan, (planned) => ("reason" in planned ? "" : forPeople(planned, chalk, exact)), stdout);
}

/** Returns only the members of the contract, in its order. */
async function* ordered(
  plan: Iterable<ShownRequest | LeftAlone> | AsyncIterable<ShownRequest | LeftAlone>,
): AsyncGenerator<Row> {
  for await (const planned of plan) {
    if ("reason" in planned) {
      const { profile, operation, target, outcome, reason } = planned;
      yield { profile, operation, target, outcome, reason };
      continue;
    }
    const { profile, operation, method, url, parameters, from, body, effects } = planned;
    yield { profile, operation, method, url, parameters, from, body, effects: effects?.map(effectRecord) };
  }
}
