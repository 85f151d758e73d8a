/** One operation with its arguments, made ready to be sent to a server, shown, and explained when it is refused. */
import type { Call } from "../wire/call.ts";
import { encode } from "../wire/encode.ts";
import { reads } from "../wire/operation.ts";
import type { HttpRequest } from "../world.ts";
import type { Asked } from "./outcome.ts";
import { Redactor } from "./redactor.ts";

export interface Prepared {
  asked: Asked;
  request: HttpRequest;
  /** As it may be shown. */
  shown: string;
  redactor: Redactor;
  /** The level that decided what is sent; undefined where none did. */
  level: number | undefined;
  /** What a server of another level would be sent. */
  bodyFor(level: number): string | undefined;
}

interface From {
  site: string;
  host: string;
  credentials: { email: string; key: string } | undefined;
  /** Of this program. */
  version: string;
  platform: string;
  /** Milliseconds. */
  timeout: number;
}

/** `verifyWith` is the command that shows whether a change happened. */
export function prepare(
  call: Call,
  level: number | undefined,
  { site, host, credentials, version, platform, timeout }: From,
  verifyWith?: string,
): Prepared {
  const { operation, args } = call;
  const { target, body, parameters, shown } = encode(call, level);
  const pair = credentials && `${credentials.email}:${credentials.key}`;
  const secrets = Object.entries<unknown>(args).filter(([name]) => operation.params[name]?.secret);
  return {
    asked: {
      operation,
      host,
      path: target.split("?")[0]!,
      parameters: reads(operation) ? [] : Object.keys(parameters),
      verifyWith,
    },
    request: {
      method: operation.method,
      url: site + target,
      headers: {
        ...(pair && { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }),
        accept: "application/json",
        "accept-language": "en",
        "user-agent": `zulipctl/${version} (${platform})`,
        ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body,
      timeout,
    },
    shown: [operation.method, site + shown.target, shown.body].filter(Boolean).join(" "),
    redactor: new Redactor(
      [credentials?.key, ...secrets.map(([, value]) => value)].filter((each) => typeof each === "string"),
      pair ? [pair] : [],
    ),
    level,
    bodyFor: (other) => encode(call, other).body,
  };
}
