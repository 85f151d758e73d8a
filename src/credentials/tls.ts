/** TLS files from the flags, the environment, and a zuliprc or profile, in this order. */

import type { Flags } from "../argv/flags.ts";
import { reasonOf, Usage } from "../errors.ts";
import type { Pem, Tls } from "../peers.ts";
import type { World } from "../world.ts";

interface Paths {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** The files that one place names, and what that place calls them. */
interface Named extends Paths {
  names: Required<Record<keyof Paths, string>>;
}

type TlsFlags = Pick<Flags, "caFile" | "clientCert" | "clientKey">;
type Checked = Pick<World, "env" | "files">;

/** Reads each file once. Throws `Usage` for one that is missing or holds nothing of its kind, and where anybody asks for unchecked certificates. */
export async function tlsOf({ env, files }: Checked, flags: TlsFlags, source?: Named): Promise<Tls> {
  refuseInsecure(env.ZULIP_ALLOW_INSECURE, "ZULIP_ALLOW_INSECURE");
  // Node heeds this value alone.
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0") refuseInsecure("true", "NODE_TLS_REJECT_UNAUTHORIZED=0");
  const places: Named[] = [
    {
      ca: flags.caFile,
      cert: flags.clientCert,
      key: flags.clientKey,
      names: { ca: "--ca-file", cert: "--client-cert", key: "--client-key" },
    },
    {
      ca: env.ZULIP_CERT_BUNDLE || undefined,
      cert: env.ZULIP_CERT || undefined,
      key: env.ZULIP_CERT_KEY || undefined,
      names: { ca: "ZULIP_CERT_BUNDLE", cert: "ZULIP_CERT", key: "ZULIP_CERT_KEY" },
    },
    ...(source ? [source] : []),
  ];
  for (const { cert, key, names } of places)
    if (key !== undefined && cert === undefined)
      throw new Usage(`${names.key} names a key without a certificate`, { hint: `Give ${names.cert} too.` });
  const authority = places.find(({ ca }) => ca !== undefined);
  // A certificate and its key come from one place.
  const identity = places.find(({ cert }) => cert !== undefined);
  const read = async (place: Named | undefined, which: keyof Paths): Promise<Tls> => {
    const path = place?.[which];
    return path === undefined ? {} : { [which]: await pemOf(files, path, which, place!.names[which]) };
  };
  const { cert, ...trusted } = { ...(await read(authority, "ca")), ...(await read(identity, "cert")) };
  if (!cert) return trusted;
  if (identity?.key !== undefined) return { ...trusted, cert, ...(await read(identity, "key")) };
  // One PEM file may hold both.
  return { ...trusted, cert, key: held(cert, "key", identity!.names.cert) };
}

async function pemOf(files: World["files"], path: string, which: keyof Paths, name: string): Promise<Pem> {
  const text = await files.read(path).catch(reasonOf);
  if (text === undefined) throw new Usage(`${name}: file not found: ${path}`);
  if (text instanceof Error) throw new Usage(`${name}: cannot read ${path}: ${text.message}`);
  return held({ path, text }, which, name);
}

const kinds = {
  ca: { begins: /^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/m, words: "no certificate" },
  cert: { begins: /^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/m, words: "no certificate" },
  key: { begins: /^-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/m, words: "no private key" },
};

/** An empty file would be taken for none, and the authorities of the system be trusted in its place. */
function held(pem: Pem, which: keyof Paths, name: string): Pem {
  const { begins, words } = kinds[which];
  if (begins.test(pem.text)) return pem;
  throw new Usage(`${name}: ${pem.path} holds ${words} (PEM)`);
}

/** Certificates are always checked. `false` says no more than that. */
export function refuseInsecure(value: string | undefined, name: string): void {
  if (!value || value.trim().toLowerCase() === "false") return;
  throw new Usage(`${name} turns certificate checks off, which zulipctl refuses`, {
    hint: "Trust a private certificate authority with --ca-file.",
  });
}
