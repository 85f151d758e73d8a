/**
 * The least that a batch must do beside its requests: `necessary <file of rows> <journal>`. It reads all rows before it
 * sends the first, and writes each request down, on disk, before it leaves, and each answer when it was checked.
 */
import { closeSync, fdatasync, openSync, readFileSync, writeSync } from "node:fs";
import { bareLoop, concurrency } from "./bare-loop.ts";

const [, , file, journal] = process.argv as string[] as [string, string, string, string];

const rows = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split(",") as [id: string, text: string]);

const out = openSync(journal, "w", 0o600);

let next: Promise<void> | undefined;
let last: Promise<void> = Promise.resolve();

async function toDisk(before: Promise<void>): Promise<void> {
  await Promise.all([before, new Promise(setImmediate)]);
  next = undefined;
  await new Promise<void>((resolve, reject) => fdatasync(out, (error) => (error ? reject(error) : resolve())));
}

/** Resolves when it is on disk, together with what others write at the same moment. */
function write(entry: object): Promise<void> {
  writeSync(out, `${JSON.stringify(entry)}\n`);
  next ??= last = toDisk(last);
  return next;
}

const { send, close } = bareLoop();

async function main(): Promise<void> {
  let at = 0;
  const recorded: Promise<void>[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (at < rows.length) {
        const sent = ++at;
        const [id, description] = rows[sent - 1]!;
        await write({ sent, rows: [sent], operation: "channel.update", args: { stream_id: Number(id), description } });
        const { result, msg, ...answer } = await send(id, description);
        if (result !== "success") throw new Error(`${msg}`);
        recorded.push(write({ answered: sent, outcome: "done", answers: [answer] }));
      }
    }),
  );
  await Promise.all(recorded);
  closeSync(out);
  await close();
}

void main();
