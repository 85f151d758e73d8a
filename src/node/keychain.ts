/** The keychain of the system, through @napi-rs/keyring. Each call runs in a child process with a timeout. */
import { fileURLToPath } from "node:url";
import { type Env, type Keychain, KeychainFailure, keychainTimeout, Secret } from "../world/world.ts";

interface KeychainCall {
  call: "getPassword" | "setPassword" | "deletePassword";
  service: string;
  account: string;
  password?: string;
}

interface KeychainAnswer {
  value?: unknown;
  /** Why the package could not be loaded. */
  missing?: string;
  /** The error of the keychain. */
  failure?: string;
}

const service = "zulipctl";

/** `limit` is in milliseconds. `stop` ends a call at once. */
export function keychain(env: Env, stop: AbortSignal, limit = keychainTimeout): Keychain {
  const call = (parameters: Omit<KeychainCall, "service">) => callChild({ service, ...parameters }, env, stop, limit);
  return {
    async get(account) {
      const password = await call({ call: "getPassword", account });
      return typeof password === "string" ? new Secret(password) : undefined;
    },
    async set(account, secret) {
      await call({ call: "setPassword", account, password: secret.reveal() });
    },
    forget: async (account) => (await call({ call: "deletePassword", account })) === true,
  };
}

async function callChild(call: KeychainCall, env: Env, stop: AbortSignal, limit: number): Promise<unknown> {
  const { runProgram } = await import("./run-program.ts");
  const { endedBy, stdout } = await runProgram(child(), limit, env, stop, JSON.stringify(call));
  if (endedBy === "timeout")
    throw new KeychainFailure(`the keychain did not answer within ${limit / 1000} seconds`, "silent");
  if (stdout === "") throw new KeychainFailure("the program that asks the keychain ended without an answer", "other");
  const { value, missing, failure }: KeychainAnswer = JSON.parse(stdout);
  if (missing !== undefined)
    throw new KeychainFailure(
      `the keychain cannot be opened: ${missingLibrary(missing.split(/\n|\. /)[0])}`,
      "package",
    );
  if (failure !== undefined) throw failureOf(failure);
  return value;
}

const child = (): string[] =>
  import.meta.build?.keychainChild ?? [
    process.execPath,
    fileURLToPath(new URL("./keychain-child.cjs", import.meta.url)),
  ];

const missingLibrary = (reason = ""): string =>
  import.meta.build?.isExecutable
    ? `zulipctl cannot load its library for it (${reason}). TMPDIR can name a directory from which programs may run`
    : `the package @napi-rs/keyring is not completely installed (${reason})`;

/** The libraries have one code for all errors. Only their texts differ. */
function failureOf(failure: string): KeychainFailure {
  const words = failure.replace(/^.*?: /, "").replace(/[\s.]+$/, "");
  if (/dismissed|is locked|interaction is not allowed/i.test(failure))
    return new KeychainFailure(`the keychain is locked (${words})`, "locked");
  if (/NoReply|did not receive a reply|timed? ?out/i.test(failure))
    return new KeychainFailure(`the keychain did not answer (${words})`, "silent");
  if (/DBus error|ServiceUnknown|no result found|no storage|not available/i.test(failure))
    return new KeychainFailure("no keychain available on this machine", "missing", failure);
  return new KeychainFailure(`the keychain refused: ${words}`, "other");
}
