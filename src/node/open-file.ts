/** A regular file that stays open while it is sent, and is watched for changes. */
import { constants, promises as fs } from "node:fs";
import type { OpenFile } from "../world.ts";

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

const blockSize = 64 * 1024;

/** Throws what the system says where it cannot be opened. */
export async function openRegular(path: string): Promise<OpenFile> {
  // Opening a pipe without a writer would block a thread that no signal reaches.
  const handle = await fs.open(path, O_RDONLY | O_NONBLOCK);
  const now = async () => {
    const { size, mtimeMs } = await handle.stat();
    return { size, mtimeMs };
  };
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error("it is not a regular file");
    const { size, mtimeMs } = await now();
    return {
      size,
      async *bytes() {
        for (let at = 0; at < size; ) {
          const { bytesRead, buffer } = await handle.read(
            Buffer.allocUnsafe(blockSize),
            0,
            Math.min(blockSize, size - at),
            at,
          );
          if (bytesRead === 0) break;
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
        const after = await now();
        if (after.size !== size || after.mtimeMs !== mtimeMs) throw new Error("the file changed while it was sent");
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
