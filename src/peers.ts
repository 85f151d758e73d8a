/** What lies between this machine and a server, for who wants to know why there is no answer. */

/** What was read from a file, once: a pipe gives it no second time. */
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
  /** What the name of its host stands for; throws `NoAnswer` where it stands for nothing. */
  addressesOf(site: string): Promise<string[]>;
  /** The certificate that it shows, once that has been checked; throws `NoAnswer` where no secure connection is made. */
  certificateOf(site: string, tls: Tls, timeout: number): Promise<Certificate>;
}
