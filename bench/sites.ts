/** Sites of the bench's server, a separate process. */
import { fork } from "node:child_process";
import { once } from "node:events";

export interface Peer {
  /** A site with so many people and channels, whose answers take `delay` milliseconds; `keep`: its connections may be used again. */
  site(manner: {
    users?: number;
    channels?: number;
    delay?: number;
    keep?: boolean;
    /** The size of the export, in bytes. */
    exported?: number;
  }): Promise<string>;
  close(): void;
}

export function peerOf(script: string): Peer {
  const child = fork(script);
  return {
    async site({ users = 10, channels = 0, delay = 0, keep = true, exported = 0 }) {
      const made = once(child, "message");
      child.send({ users, channels, delay, keep, exported });
      return (await made)[0] as string;
    },
    close: () => child.disconnect(),
  };
}

const countAt = async (url: string): Promise<number> => Number(await (await fetch(url)).text());

/** Returns the number of changes that the server got since the last call. */
export const changesAt = (site: string): Promise<number> => countAt(`${site}/changes`);

/** The same of all requests. */
export const requestsAt = (site: string): Promise<number> => countAt(`${site}/requests`);
