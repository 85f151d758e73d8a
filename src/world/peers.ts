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
  /** Returns host and port of the proxy for a site. Throws `Usage` for an invalid proxy. */
  proxyFor(site: string): Promise<string | undefined>;
  /** Resolves the host name. Throws `NoAnswer` if that fails. */
  addressesOf(site: string): Promise<string[]>;
  /** Returns the checked certificate. Throws `NoAnswer` without a secure connection. */
  certificateOf(site: string, tls: Tls, timeout: number): Promise<Certificate>;
}
