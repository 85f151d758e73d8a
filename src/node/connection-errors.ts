/** Describes connection errors, and whether the request was certainly not processed. */
import { asError } from "../errors.ts";
import { type Cause, NoAnswer } from "../world/world.ts";
import type { ProxyServer } from "./proxy.ts";

interface ConnectionError extends Error {
  code?: string;
  syscall?: string;
  hostname?: string;
  /** The text of OpenSSL, without its file names. */
  reason?: string;
  /** The text that undici's parser rejected. Empty if the connection ended too early. */
  data?: string;
}

/** Returns the error of the last address, if several were tried. */
const innermost = (error: unknown): ConnectionError =>
  error instanceof AggregateError && error.errors.length > 0 ? innermost(error.errors.at(-1)) : asError(error);

/** Other errors of connecting have a system call, or a code of undici. */
const isHandshake = (error: ConnectionError) =>
  ["EPROTO", "UND_ERR_PRX_TLS"].includes(error.code ?? "") ||
  (error.syscall === undefined && error.code !== undefined && !error.code.startsWith("UND_ERR_"));

const textOf = ({ code, message, reason }: ConnectionError) =>
  (code?.startsWith("ERR_TLS_") ? message : (reason ?? message)).replace(/[\s:.]+$/, "");

export const throughProxy = (proxy?: ProxyServer): string => (proxy ? ` through the proxy ${proxy.url.host}` : "");

/** Describes why no connection was made, so nothing was sent. The message follows the host name and a colon. */
export function notConnected(problem: unknown, secure: boolean, proxy?: ProxyServer): NoAnswer {
  const error = innermost(problem);
  const { code = "" } = error;
  const no = (message: string, why: Cause, hint?: string) => new NoAnswer(message, why, false, hint);
  const through = throughProxy(proxy);
  const peer = proxy ? `the proxy ${proxy.url.host}` : "it";
  const { hostname = "of the host" } = error;
  if (code === "ENOTFOUND" && proxy)
    return no(`unknown host name ${hostname} in ${proxy.variable}`, "dns", `Fix ${proxy.variable}, or unset it.`);
  if (code === "ENOTFOUND") return no(`unknown host name ${hostname}`, "dns");
  if (code.startsWith("EAI_")) return no(`cannot look up the host name ${hostname}`, "dns");
  if (code === "ECONNREFUSED") return no(`${peer} refused the connection`, "refused");
  const status = Number(/^Proxy response \((\d+)\)/.exec(error.message)?.[1]);
  if (proxy && status) return proxyRefusal(proxy, status, `no connection${through}`);
  // A login page, for example.
  const hint = proxy && code.startsWith("ERR_SSL_") ? `Check ${proxy.variable}: the answer is not TLS.` : undefined;
  if (secure && isHandshake(error)) return no(`no secure connection${through}: ${textOf(error)}`, "tls", hint);
  return no(`no connection${through}: ${textOf(error)}`, "network");
}

/** Describes an answer of a proxy other than 200. */
function proxyRefusal({ variable, token }: ProxyServer, status: number, said: string): NoAnswer {
  // Another attempt may help if the proxy did not reach the server.
  if (status >= 500 || status === 429) return new NoAnswer(`${said}: the proxy answered ${status}`, "network", false);
  const no = (why: string, hint: string) => new NoAnswer(`${said}: the proxy ${why} (${status})`, "proxy", false, hint);
  const login = `the user name and password in ${variable}`;
  if (status !== 407)
    return no("refuses it", `Ask whoever runs the proxy, or name this host in NO_PROXY. ${variable} names the proxy.`);
  return token === undefined
    ? no("requires a user name and password", `Put them in ${variable}: http://<user name>:<password>@<host>:<port>`)
    : no(`does not accept ${login}`, `Check ${login}.`);
}

/** Describes why the connection ended after the request was started, so it may have arrived. */
export function connectionBroken(problem: unknown, answered: boolean): NoAnswer {
  const error = innermost(problem);
  const { code = "", data } = error;
  const no = (message: string, why: Cause) => new NoAnswer(message, why, true);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return no("the headers of its answer are too large", "protocol");
  if (error.name === "HTTPParserError" && data) return no("the answer is not HTTP", "protocol");
  if (answered) return no("its answer ends too early", "cut");
  if (code === "EPROTO" || code.startsWith("ERR_SSL_"))
    return no(`it ended the secure connection: ${textOf(error)}`, "tls");
  return no("it closed the connection without an answer", "reset");
}
