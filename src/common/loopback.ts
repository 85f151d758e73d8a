/** Returns whether a host name of a `URL` is this machine: localhost, 127.0.0.0/8, ::1. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
