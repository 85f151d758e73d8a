/** `zulipctl help times`. */
export const timesHelp = `How times are written

  2026-11-28 15:45          in the time zone of this machine
  2026-11-28 15:45 -05:00   with an offset; Z is UTC
  2026-11-28T20:45:00Z      ISO 8601
  2026-11-28                midnight in the time zone of this machine
  today, yesterday          their midnight
  7d, 12h, 30m, 2w, 1y      so long ago

Tables and questions show times in the time zone of this machine with the
offset of that day, so that they can be typed back. -o csv, tsv, yaml, json and
ndjson have UTC. A job in CI usually runs in UTC, and a laptop does not: write
an offset, or set TZ. Before messages are deleted, zulipctl shows the limits in
both zones.
`;
