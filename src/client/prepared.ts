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
  shown(): string;
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

/** What all requests from one account to one server have in common. */
export interface Frame extends Pick<From, "site" | "host" | "timeout"> {
  /** Secrets that no answer may show, alone and as they are sent. */
  readonly secrets: readonly string[];
  readonly encoded: readonly string[];
  readonly redactor: Redactor;
  /** Without a body, and with one. */
  readonly headers: { readonly bare: Record<string, string>; readonly form: Record<string, string> };
}

export function frameOf({ site, host, credentials, version, platform, timeout }: From): Frame {
  const pair = credentials && `${credentials.email}:${credentials.key}`;
  const secrets = credentials ? [credentials.key] : [];
  const encoded = pair ? [pair] : [];
  const bare = {
    ...(pair && { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }),
    accept: "application/json",
    "accept-language": "en",
    "user-agent": `zulipctl/${version} (${platform})`,
  };
  const headers = { bare, form: { ...bare, "content-type": "application/x-www-form-urlencoded" } };
  return { site, host, timeout, secrets, encoded, redactor: new Redactor(secrets, encoded), headers };
}

/** `verifyWith` is the command that shows whether a change happened. */
export function prepare(
  call: Call,
  level: number | undefined,
  { site, host, timeout, headers, redactor, secrets, encoded }: Frame,
  verifyWith?: string,
): Prepared {
  const { operation, args } = call;
  const { target, body, parameters, shown } = encode(call, level);
  const own = Object.keys(args).flatMap((name): unknown => (operation.params[name]?.secret ? args[name] : []));
  const texts = own.filter((value) => typeof value === "string");
  return {
    asked: {
      operation,
      host,
      path: target.replace(/\?.*$/s, ""),
      parameters: reads(operation) ? [] : Object.keys(parameters),
      verifyWith,
    },
    request: {
      method: operation.method,
      url: site + target,
      headers: body === undefined ? headers.bare : headers.form,
      body,
      // A read may be sent again, whatever its method is.
      ...(reads(operation) && { alone: false }),
      timeout,
    },
    shown: () => [operation.method, site + shown.target, shown.body].filter(Boolean).join(" "),
    redactor: texts.length ? new Redactor([...secrets, ...texts], encoded) : redactor,
    level,
    bodyFor: (other) => encode(call, other).body,
  };
}
