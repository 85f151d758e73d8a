import type { batchNoun } from "../../src/commands/batch.ts";
import { type CasesOf, local } from "./case.ts";
import { pushReads, token } from "./owner.ts";

const run = "20260114-1";
const journal = `/state/batch/${run}.jsonl`;
const header = {
  journal: "zulipctl batch",
  version: 1,
  run,
  site: "https://chat.example",
  account: "iris@sandbox.example",
  input: "1",
  words: "2",
  rows: 3,
  began: "2026-01-14T09:30:00.000Z",
  command: "zulipctl batch rows.csv -- attachment rm '{id}'",
};
const counts = { done: 2, refused: 1, unknown: 0, not_sent: 0, invalid: 0 };
const refusal = { exit_code: 1, kind: "refused", message: "Invalid attachment" };
const entries = [
  header,
  ...[1, 2, 3].map((row) => ({ sent: row, rows: [row], operation: "attachment.rm", args: { attachment_id: row } })),
  ...[1, 2].map((row) => ({ answered: row, outcome: "done", answers: [{}] })),
  { answered: 3, outcome: "refused", error: refusal },
  { ended: "2026-01-14T09:31:00.000Z", counts },
];
const lines = (all: readonly object[]) => all.map((entry) => `${JSON.stringify(entry)}\n`).join("");
const finished = { anonymous: true, sends: [], files: { [journal]: lines(entries) } } as const;
const unfinished = { ...finished, files: { [journal]: lines(entries.slice(0, 5)) } } as const;
/** Killed after the last answer, before the journal was finished. */
const killed = { ...finished, files: { [journal]: lines(entries.slice(0, -1)) } } as const;
/** A row of two changes. One of them was sent. */
const partlySent = {
  ...finished,
  files: {
    [journal]: lines([
      {
        ...header,
        rows: 1,
        command: "zulipctl batch rows.csv -- channel subscribers '{c}' --add '{a}' --delete '{d}'",
      },
      { sent: 1, rows: [1], parts: [2], operation: "channel.subscribe", args: {} },
      { answered: 1, outcome: "done", answers: [{}] },
    ]),
  },
} as const;
const applied = "20260114-2";
/** A run of `org apply`. It is finished unless it was killed, since the next plan shows the rest. */
const applyRun = (ended: boolean) =>
  ({
    ...finished,
    files: {
      [`/state/organization/${applied}.jsonl`]: lines([
        { ...header, journal: "zulipctl org apply", run: applied, rows: 2, command: "zulipctl org apply a.yaml" },
        { sent: 1, rows: [1], operation: "group.create", args: {} },
        { answered: 1, outcome: "refused", error: refusal },
        ...(ended ? [{ ended: "2026-01-14T09:41:00.000Z", counts: { ...counts, done: 0, not_sent: 1 } }] : []),
      ]),
    },
  }) as const;
const head = "RUN\tBEGAN\tSTATE\tDONE\tREFUSED\tUNKNOWN\tNOT SENT\tSITE\tCOMMAND\n";

const register = `POST /users/me/apns_device_token token=${token}&appid=org.zulip.Zulip`;
const deprecated =
  "zulipctl: chat.example (feature level 500) deprecates apns register; a later release will remove it\n";

const itself = local({
  lines: [
    {
      typed: "- --format lines",
      input: `folder create one\napns register --token ${token} --appid org.zulip.Zulip\n`,
      sends: [
        "GET /channel_folders?include_archived=true",
        ...pushReads,
        "POST /channel_folders/create name=one&description=",
        register,
      ],
      notes: `${deprecated}zulipctl: 2 of 2 rows done\n`,
    },
    {
      typed: "- --format csv -- apns register --token {token} --appid {app}",
      input: `token,app\n${token},org.zulip.Zulip\n`,
      sends: [...pushReads, register],
      notes: `${deprecated}zulipctl: 1 of 1 row done\n`,
    },
  ],
});

export const cases: CasesOf<typeof batchNoun> = {
  itself,
  list: local({
    lines: [
      {
        ...finished,
        typed: "",
        prints: `${head}${run}\t2026-01-14 09:30Z\tfinished\t2\t1\t0\t0\tchat.example\t${header.command}\n`,
        ids: `${run}\n`,
      },
      {
        ...unfinished,
        typed: "",
        prints: `${head}${run}\t2026-01-14 09:30Z\tunfinished\t1\t0\t2\t0\tchat.example\t${header.command}\n`,
      },
      {
        ...killed,
        typed: "",
        prints: `${head}${run}\t2026-01-14 09:30Z\tunfinished\t2\t1\t0\t0\tchat.example\t${header.command}\n`,
      },
      {
        ...partlySent,
        typed: "--fields state,done,not_sent",
        prints: "STATE\tDONE\tnot_sent\nunfinished\t0\t1\n",
      },
      { anonymous: true, sends: [], typed: "", prints: head },
      {
        ...applyRun(true),
        typed: "",
        prints: `${head}${applied}\t2026-01-14 09:30Z\tfinished\t0\t1\t0\t1\tchat.example\tzulipctl org apply a.yaml\n`,
      },
      { ...applyRun(false), typed: "-o ids", prints: `${applied}\n` },
      {
        ...finished,
        files: { [journal]: "no journal\n" },
        typed: "--json --fields state,error",
        prints: `[{"state":"unreadable","error":"${journal}, line 1: not a journal of zulipctl batch, or damaged"}]\n`,
      },
      {
        ...finished,
        files: { [journal]: lines([header, { ended: "2026-01-14T09:31:00.000Z", counts: { ...counts, done: -2 } }]) },
        typed: "",
        prints: `${head}${run}\t\tunreadable\t\t\t\t\t\t${journal}, line 2: not a journal of zulipctl batch, or damaged\n`,
      },
    ],
  }),
  show: local({
    lines: [
      {
        ...finished,
        typed: "last",
        prints: [
          "FIELD\tVALUE",
          `Run\t${run}`,
          "State\tfinished",
          "Began\t2026-01-14 09:30Z",
          `Command\t${header.command}`,
          `Site\t${header.site}`,
          `Account\t${header.account}`,
          "Rows\t3",
          "Done\t2",
          "Refused\t1",
          "Unknown\t0",
          "Not sent\t0",
          `Journal\t${journal}`,
          "Row 3\trefused: Invalid attachment",
          "",
        ].join("\n"),
      },
      {
        ...applyRun(false),
        typed: applied,
        prints: [
          "FIELD\tVALUE",
          `Run\t${applied}`,
          "State\tunfinished",
          "Began\t2026-01-14 09:30Z",
          "Command\tzulipctl org apply a.yaml",
          `Site\t${header.site}`,
          `Account\t${header.account}`,
          "Rows\t2",
          "Done\t0",
          "Refused\t1",
          "Unknown\t0",
          "Not sent\t1",
          `Journal\t/state/organization/${applied}.jsonl`,
          "Resume\trun org apply with the same files",
          "Row 1\trefused: Invalid attachment",
          "",
        ].join("\n"),
      },
      { ...applyRun(true), typed: "last --jq .run", prints: `${applied}\n` },
      {
        ...finished,
        files: { ...finished.files, ...applyRun(true).files },
        typed: "last --jq .run",
        prints: `${applied}\n`,
      },
      { ...unfinished, typed: `${run} --jq '.missing | map(.row)'`, prints: "[2,3]\n" },
      { ...finished, typed: journal, ids: `${journal}\n` },
    ],
    refused: [
      { typed: "last", anonymous: true, code: 2, says: "<run>: no earlier run found" },
      {
        typed: "other.jsonl",
        anonymous: true,
        code: 2,
        says: "journal not found: other.jsonl\nList runs with: zulipctl batch list",
      },
    ],
  }),
  prune: local({
    lines: [
      { ...finished, typed: "--older-than 1d", prints: "1 journal of finished runs removed.\n", ids: `${run}\n` },
      { ...finished, typed: "--older-than 30d", prints: "0 journals of finished runs removed.\n" },
      { ...unfinished, typed: "--older-than 1h", prints: "0 journals of finished runs removed.\n" },
      {
        ...applyRun(true),
        typed: "--older-than 1h",
        prints: "1 journal of finished runs removed.\n",
        ids: `${applied}\n`,
      },
      { ...applyRun(false), typed: "--older-than 1h", prints: "0 journals of finished runs removed.\n" },
      { ...killed, typed: "--older-than 1h", prints: "0 journals of finished runs removed.\n" },
      { ...partlySent, typed: "--older-than 1h", prints: "0 journals of finished runs removed.\n" },
    ],
    refused: [
      {
        typed: "",
        anonymous: true,
        code: 2,
        says: 'batch prune needs --older-than <time>\nRun "zulipctl batch prune --help" for usage.',
      },
    ],
  }),
};
