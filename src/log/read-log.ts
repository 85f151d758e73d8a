/** Reads the log back, the newest line first. */
import { byteLines } from "../byte-lines.ts";
import type { World } from "../world.ts";
import { rolled } from "../writing.ts";
import { type LogEntry, logPath, logSize } from "./entry.ts";

/** Bytes of a line: what is longer was not written by this program. */
const longest = 32 * 1024 * 1024;

const isEntry = (value: unknown): value is LogEntry => {
  const { time, command, operation, target, outcome } = Object(value);
  return [time, command, operation, target, outcome].every((each) => typeof each === "string");
};

function entryOf(text: string): LogEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch {
    // A full disk has cut it, or somebody else has written it.
    return undefined;
  }
}

/** `unreadable` is called with each invalid line. */
export async function* readLog(
  { files, places }: Pick<World, "files" | "places">,
  unreadable: () => void,
): AsyncGenerator<LogEntry> {
  for (const path of rolled(logPath(places.state), logSize.kept)) {
    if ((await files.kind(path)) === undefined) continue;
    const entries: LogEntry[] = [];
    const tooLong = () => new Error(`${path} has an invalid line`);
    for await (const { bytes } of byteLines(files.stream(path), { longest, tooLong })) {
      const entry = entryOf(bytes.toString("utf8"));
      if (entry) entries.push(entry);
      else if (bytes.length) unreadable();
    }
    yield* entries.reverse();
  }
}
