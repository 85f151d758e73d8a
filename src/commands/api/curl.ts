/** A call as curl makes it, in words for a shell. */
import type { Flags } from "../../argv/flags.ts";
import type { Server } from "../../client/server.ts";
import type { Call } from "../../wire/call.ts";
import { encode } from "../../wire/encode.ts";

const quoted = (word: string): string =>
  /^[\w./:=@%?&+,-]+$/.test(word) && !/[?&]/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

interface From {
  server: Pick<Server, "site" | "email">;
  flags: Pick<Flags, "caFile" | "clientCert" | "clientKey">;
  include: boolean;
}

/** The key is read from the environment where the line runs; secrets among the parameters stand as `[secret]`. */
export function curlOf(asked: Call, { server, flags, include }: From): string {
  const { method, shown } = encode(asked);
  const { caFile, clientCert, clientKey } = flags;
  const options: [string, string | undefined][] = [
    ["--cacert", caFile],
    ["--cert", clientCert],
    ["--key", clientKey],
  ];
  return [
    "curl",
    ...(include ? ["--include"] : []),
    ...(method === "GET" ? [] : ["--request", method]),
    "--user",
    `${quoted(`${server.email ?? ""}:`)}"$ZULIP_API_KEY"`,
    ...options.flatMap(([option, value]) => (value === undefined ? [] : [option, quoted(value)])),
    ...(shown.body === undefined ? [] : ["--data-raw", quoted(shown.body)]),
    quoted(server.site + shown.target),
  ].join(" ");
}
