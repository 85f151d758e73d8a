/** A story in words, for the person who looks for what went wrong in it. */

import type { Transfer } from "./network.ts";
import type { Attempt, Story } from "./story.ts";

const moment = (ms: number): string => (ms / 1000).toFixed(3).padStart(9);

export function passage({ sentAt, request: { method, url, body }, served, hasAnswer, didNothing }: Transfer): string {
  const asked = `${moment(sentAt)} ${method} ${new URL(url).pathname} ${decodeURIComponent(body ?? "")}`.trimEnd();
  const judged = served && `${moment(served.at).trim()} ${served.status} ${served.text.trim().slice(0, 300)}`;
  return `  ${asked} -> ${judged ?? (didNothing ? "it stayed" : "it was lost")}${hasAnswer ? "" : " (no answer)"}`;
}

function attempt({ began, retryUnknown, ended, interrupted, failure, passages, finished, process }: Attempt): string {
  const how = ended ? "ended" : process.alive ? "failed" : "died";
  const marks = [retryUnknown && "--retry-unknown", interrupted && "interrupted", failure?.message].filter(Boolean);
  const outcomes = finished.map(({ row, results }) => `${row.row} ${results.map(({ outcome }) => outcome)}`);
  return [
    `run at ${moment(began).trim()}: ${[how, ...marks].join(", ")}`,
    ...passages.map(passage),
    `  ${outcomes.join("; ")}`,
  ].join("\n");
}

export const report = ({ batches, disk }: Story): string =>
  batches.map(({ path, attempts }) => `${path}\n${disk.text(path)}\n${attempts.map(attempt).join("\n")}`).join("\n\n");
