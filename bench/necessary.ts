/**
 * The least that a batch must do beside its requests: `necessary <file of rows> <journal>`. It reads all rows before it
 * sends the first, and writes each request down, on disk, before it leaves, and each answer when it was checked.
 */
import { closeSync, fdatasync, openSync, readFileSync, writeSync } from "node:fs";
import { bareLoop } from "./bare-loop.ts";

const [, , file, journal] = process.argv as string[] as [string, string, string, string];

const rows = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split(",") as [id: string, text: string]);

const out = openSync(journal, "w", 0o600);

/** Resolves when it is on disk. */
function write(entry: object): Promise<void> {
  writeSync(out, `${JSON.stringify(entry)}\n`);
  return new Promise((resolve, reject) => fdatasync(out, (error) => (error ? reject(error) : resolve())));
}

const { send, close } = bareLoop();

async function main(): Promise<void> {
  for (const [at, [id, description]] of rows.entries()) {
    const sent = at + 1;
    await write({ sent, rows: [sent], operation: "channel.update", args: { stream_id: Number(id), description } });
    const { result, msg, ...answer } = await send(id, description);
    if (result !== "success") throw new Error(`${msg}`);
    await write({ answered: sent, outcome: "done", answers: [answer] });
  }
  closeSync(out);
  await close();
}

void main();
