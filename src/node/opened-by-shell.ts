type Stream = "stdin" | "stdout" | "stderr";

/** Returns whether a shell has opened the file for this process: `<(…)`, `>(…)`, or one of these streams, `/dev/stdin`. */
export const isOpenedByShell = (path: string, ...streams: Stream[]): boolean =>
  /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path) || streams.some((stream) => path === `/dev/${stream}`);
