/** What each exit code means. The README has the same table, and a test compares them. */

export interface ExitCode {
  readonly code: number;
  readonly meaning: string;
}

export const exitCodes: readonly ExitCode[] = [
  { code: 0, meaning: "done, or nothing to do" },
  { code: 1, meaning: "the server refused, or is too old for what was asked" },
  {
    code: 2,
    meaning: "invalid command or input, or a confirmation is required and there is no terminal; nothing was sent",
  },
  { code: 3, meaning: "no credentials, or the server does not accept them" },
  {
    code: 4,
    meaning: "no usable answer and nothing changed: network, TLS, rate limit, a proxy's page; run it again",
  },
  {
    code: 5,
    meaning:
      "some changes were done and some not, the server ignored a parameter, or a new key or export was not saved",
  },
  { code: 6, meaning: "someone changed it first (--expect, org apply, users offboard, undo)" },
  { code: 7, meaning: "a change was sent and no answer came: the message says how to check" },
  {
    code: 8,
    meaning: 'differences (org plan --exit-code, linkifier test --expect), findings, or "no" (permissions check)',
  },
  { code: 70, meaning: "a bug in zulipctl" },
  { code: 130, meaning: 'cancelled: "no" to the question, or Ctrl-C; 143 for SIGTERM, 129 for SIGHUP' },
];
