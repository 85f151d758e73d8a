/** True for host names, as `URL` gives them, whose traffic does not leave this machine: localhost, 127.0.0.0/8, ::1. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
