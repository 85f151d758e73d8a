/** TLS files from the flags, the environment, and a zuliprc or profile, in this order. */
import { Usage } from "../errors.ts";
import type { Tls, World } from "../world.ts";
import type { Flags } from "./flags.ts";

/** The files that one place names, and what that place calls them. */
interface Named extends Tls {
  names: Required<Tls>;
}

type TlsFlags = Pick<Flags, "caFile" | "clientCert" | "clientKey">;
type Checked = Pick<World, "env" | "files">;

/** Throws `Usage` for a file that is missing, and where anybody asks for unchecked certificates. */
export async function tlsOf({ env, files }: Checked, flags: TlsFlags, source?: Named): Promise<Tls> {
  refuseInsecure(env.ZULIP_ALLOW_INSECURE, "ZULIP_ALLOW_INSECURE");
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
  for (const [place, which] of [
    [authority, "ca"],
    [identity, "cert"],
    [identity, "key"],
  ] as const)
    if (place?.[which] !== undefined) await present(files, place[which], place.names[which]);
  return {
    ...(authority && { ca: authority.ca }),
    // One PEM file may hold both.
    ...(identity && { cert: identity.cert, key: identity.key ?? identity.cert }),
  };
}

async function present(files: World["files"], path: string, name: string): Promise<void> {
  const found = await files.read(path).catch((error: Error) => error);
  if (found === undefined) throw new Usage(`${name}: there is no file ${path}`);
  if (found instanceof Error) throw new Usage(`${name}: ${path} cannot be read: ${found.message}`);
}

/** Certificates are always checked. `false` says no more than that. */
export function refuseInsecure(value: string | undefined, name: string): void {
  if (!value || value.trim().toLowerCase() === "false") return;
  throw new Usage(`${name} asks for certificates to go unchecked, which zulipctl does not do`, {
    hint: "Trust the server's own certificate authority with --ca-file.",
  });
}
