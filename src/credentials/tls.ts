/** TLS files from the flags, the environment, and a zuliprc or profile, in this order. */

import type { Flags } from "../argv/global-flags.ts";
import { Usage, unexpected } from "../errors.ts";
import type { Pem, Tls } from "../world/peers.ts";
import type { World } from "../world/world.ts";

type TlsFileKind = "ca" | "cert" | "key";

/** A file, and the flag, variable or option that names it. */
interface TlsFile {
  path: string | undefined;
  name: string;
}

type TlsFiles = Record<TlsFileKind, TlsFile>;

type TlsFlags = Pick<Flags, "caFile" | "clientCert" | "clientKey">;

/** Throws `Usage` for a missing file, for wrong content, and if anything turns certificate checks off. */
export async function tlsOf(
  { env, files }: Pick<World, "env" | "files">,
  flags: TlsFlags,
  source?: TlsFiles,
): Promise<Tls> {
  refuseInsecure(env.ZULIP_ALLOW_INSECURE, "ZULIP_ALLOW_INSECURE");
  // Node ignores other values.
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0") refuseInsecure("true", "NODE_TLS_REJECT_UNAUTHORIZED=0");
  const variable = (name: string): TlsFile => ({ path: env[name] || undefined, name });
  const sources: TlsFiles[] = [
    {
      ca: { path: flags.caFile, name: "--ca-file" },
      cert: { path: flags.clientCert, name: "--client-cert" },
      key: { path: flags.clientKey, name: "--client-key" },
    },
    { ca: variable("ZULIP_CERT_BUNDLE"), cert: variable("ZULIP_CERT"), key: variable("ZULIP_CERT_KEY") },
    ...(source ? [source] : []),
  ];
  for (const { cert, key } of sources)
    if (key.path !== undefined && cert.path === undefined)
      throw new Usage(`${key.name} names a key without a certificate`, { hint: `Set ${cert.name} too.` });
  const trusted = sources.find(({ ca }) => ca.path !== undefined);
  const ca = trusted && { ca: await pemOf(files, trusted.ca, "ca") };
  // A certificate and its key come from one source. One PEM file may contain both.
  const identity = sources.find(({ cert }) => cert.path !== undefined);
  if (!identity) return { ...ca };
  const cert = await pemOf(files, identity.cert, "cert");
  const key =
    identity.key.path === undefined
      ? checkPem(cert, "key", identity.cert.name)
      : await pemOf(files, identity.key, "key");
  return { ...ca, cert, key };
}

async function pemOf(files: World["files"], { path = "", name }: TlsFile, kind: TlsFileKind): Promise<Pem> {
  const text = await files.read(path).catch(unexpected);
  if (text === undefined) throw new Usage(`${name}: file not found: ${path}`);
  if (text instanceof Error) throw new Usage(`${name}: cannot read ${path}: ${text.message}`);
  return checkPem({ path, text }, kind, name);
}

const certificate = { begins: /^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/m, words: "no certificate" };
const kinds = {
  ca: certificate,
  cert: certificate,
  key: { begins: /^-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/m, words: "no private key" },
};

/** Without this check, an empty file would mean the system's certificate authorities. */
function checkPem(pem: Pem, kind: TlsFileKind, name: string): Pem {
  const { begins, words } = kinds[kind];
  if (begins.test(pem.text)) return pem;
  throw new Usage(`${name}: ${pem.path} holds ${words} (PEM)`);
}

/** Certificates are always checked. `false` is allowed. */
export function refuseInsecure(value: string | undefined, name: string): void {
  if (!value || value.trim().toLowerCase() === "false") return;
  throw new Usage(`${name} turns certificate checks off, which zulipctl refuses`, {
    hint: "Trust a private certificate authority with --ca-file.",
  });
}
