/** Describes connection errors, and whether the request was certainly not processed. */
import { type Cause, NoAnswer } from "../world.ts";

interface Broken extends Error {
  code?: string;
  syscall?: string;
  hostname?: string;
  /** OpenSSL's words, without its file names. */
  reason?: string;
  /** The text that undici's parser rejected. Empty if the connection ended too early. */
  data?: string;
}

/** The innermost error that says something: of several addresses tried, the last one's. */
const innermost = (error: unknown): Broken => {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors.at(-1));
  return error instanceof Error ? error : new Error(String(error));
};

const unreadable = ({ name }: Broken) => name === "HTTPParserError";

/** System calls and undici have codes of their own; every other error of connecting is OpenSSL's or Node's check of names. */
const handshake = (error: Broken) =>
  error.code === "EPROTO" ||
  (error.syscall === undefined && error.code !== undefined && !error.code.startsWith("UND_ERR_"));

const words = ({ code, message, reason }: Broken) =>
  (code?.startsWith("ERR_TLS_") ? message : (reason ?? message)).replace(/[\s:.]+$/, "");

/**
 * The connection was not made, so nothing of the request left this machine. Messages follow the host's name and a
 * colon.
 */
export function notConnected(problem: unknown, secure: boolean, proxy?: URL): NoAnswer {
  const error = innermost(problem);
  const { code = "" } = error;
  const no = (said: string, why: Cause) => new NoAnswer(said, why, false);
  const through = proxy ? ` through the proxy ${proxy.host}` : "";
  const peer = proxy ? `the proxy ${proxy.host}` : "it";
  if (code === "ENOTFOUND") return no(`unknown host name ${lookedUp(error)}`, "dns");
  if (code.startsWith("EAI_")) return no(`cannot look up the host name ${lookedUp(error)}`, "dns");
  if (code === "ECONNREFUSED") return no(`${peer} refused the connection`, "refused");
  if (secure && handshake(error)) return no(`no secure connection${through}: ${words(error)}`, "tls");
  return no(`no connection${through}: ${words(error)}`, "network");
}

const lookedUp = ({ hostname = "of the host" }: Broken) => hostname;

/** The connection broke after the request had been started, so that it may have arrived. */
export function brokenOff(problem: unknown, answered: boolean): NoAnswer {
  const error = innermost(problem);
  const { code = "", data } = error;
  const no = (said: string, why: Cause) => new NoAnswer(said, why, true);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return no("the headers of its answer are too large", "protocol");
  if (unreadable(error) && data) return no("the answer is not HTTP", "protocol");
  if (answered) return no("its answer ends too early", "cut");
  if (code === "EPROTO" || code.startsWith("ERR_SSL_"))
    return no(`it ended the secure connection: ${words(error)}`, "tls");
  return no("it closed the connection without an answer", "reset");
}
