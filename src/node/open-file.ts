/** A regular file that stays open while it is sent. */
import { constants, promises as fs } from "node:fs";
import type { OpenFile } from "../world.ts";

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

const blockSize = 64 * 1024;

/** Throws the error of the system. */
export async function openRegular(path: string): Promise<OpenFile> {
  // Opening a pipe without a writer would block, and signals would not end that.
  const handle = await fs.open(path, O_RDONLY | O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error("it is not a regular file");
    const { size, mtimeMs } = found;
    return {
      size,
      async *bytes() {
        for (let at = 0; at < size; ) {
          const length = Math.min(blockSize, size - at);
          const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
          if (bytesRead === 0) break;
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
        const after = await handle.stat();
        if (after.size !== size || after.mtimeMs !== mtimeMs) throw new Error("the file changed while it was sent");
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
