/** A prepared call: the request, how to show it, and how to explain its refusal. */
import type { Call } from "../wire/call.ts";
import { encode, type FormBody } from "../wire/encode.ts";
import { isRead } from "../wire/operation.ts";
import type { HttpRequest, World } from "../world/world.ts";
import type { RequestInfo } from "./outcome.ts";
import { Redactor } from "./redactor.ts";
import type { Sender } from "./sending-types.ts";

export interface Prepared {
  call: Call;
  info: RequestInfo;
  request: HttpRequest;
  /** The parts of the body, if it sends files. */
  form?: FormBody;
  /** Without secrets. */
  describe(): string;
  redactor: Redactor;
  /** The level that the request was made for. Undefined if it does not matter. */
  level: number | undefined;
}

/** Returns the headers for program and account, and a redactor for the key and `secrets`. */
export function identify(
  { version, platform }: Pick<World, "version" | "platform">,
  { email, key }: { email?: string | undefined; key?: string | undefined },
  secrets: readonly string[] = [],
): { headers: Record<string, string>; redactor: Redactor } {
  const pair = key && `${email ?? ""}:${key}`;
  const headers = {
    ...(pair && { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }),
    "user-agent": `zulipctl/${version} (${platform})`,
  };
  return { headers, redactor: new Redactor(key ? [key, ...secrets] : secrets, pair ? [pair] : []) };
}

interface SendingContext {
  world: Pick<World, "version" | "platform">;
  account: Sender;
  key: string | undefined;
  /** In milliseconds. */
  timeout: number;
}

/** Prepares a call. `verifyWith`: the command that shows whether a change happened. */
export function prepare(
  call: Call,
  level: number | undefined,
  { world, account: { site, email }, key, timeout }: SendingContext,
  verifyWith?: string,
): Prepared {
  const { operation, args } = call;
  const { target, body, form, parameters, masked } = encode(call, level);
  const secrets = Object.entries(args).filter(([name]) => operation.params[name]?.secret);
  const { headers, redactor } = identify(
    world,
    { email, key },
    secrets.map(([, value]) => value).filter((value) => typeof value === "string"),
  );
  return {
    call,
    info: {
      operation,
      host: new URL(site).host,
      path: target.replace(/\?.*$/s, ""),
      parameters: isRead(operation) ? [] : Object.keys(parameters),
      verifyWith,
    },
    request: {
      method: operation.method,
      url: site + target,
      headers: {
        ...headers,
        accept: "application/json",
        "accept-language": "en",
        ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body,
      // A read can be repeated, whatever its method is.
      ...(isRead(operation) && { ownConnection: false }),
      timeout,
    },
    describe: () => [operation.method, site + masked.target, masked.body].filter(Boolean).join(" "),
    ...(form && { form }),
    redactor,
    level,
  };
}
