/** Describes the network between this machine and a server, for diagnosis. */

/** The content of a file that was read once: a pipe cannot be read again. */
export interface Pem {
  path: string;
  text: string;
}

export interface Tls {
  ca?: Pem;
  cert?: Pem;
  key?: Pem;
}

export interface Certificate {
  /** Milliseconds since the epoch. */
  expires: number;
  issuer: string;
}

export interface Peers {
  /** Host and port of the proxy that requests to a site go through; throws `Usage` for one that cannot be. */
  proxyFor(site: string): Promise<string | undefined>;
  /** Resolves the host name. Throws `NoAnswer` if that fails. */
  addressesOf(site: string): Promise<string[]>;
  /** The certificate that it shows, once that has been checked; throws `NoAnswer` where no secure connection is made. */
  certificateOf(site: string, tls: Tls, timeout: number): Promise<Certificate>;
}
