/**
 * Transcripts: text files in `test/transcripts` with command lines and all that they print. `--update=all` records them again:
 *
 *     npx vitest run --project source test/transcripts.test.ts -t invite --update=all
 *
 * A line that begins at the margin is the title of a block, or a comment with `#`. Each block begins with a fresh sandbox,
 * its owner's credentials in the environment, no files, and no terminal. Its commands share them.
 *
 *     skips people who are invited already
 *         $ zulipctl invite add grace@example.com
 *         Invited grace@example.com.
 *         > POST /invites invitee_emails=grace@example.com&stream_ids=[]
 *         $ zulipctl invite add x
 *         ! zulipctl: <email>: "x" is not an e-mail address
 *         [2]
 *
 * | line      | what it is                                                                           |
 * | --------- | ------------------------------------------------------------------------------------ |
 * | `$ …`     | a command line with pipes, `<`, `>`, `<<EOF`, `NAME=value`; echo, printf, cat         |
 * | `$ state` | prints a part of the sandbox's state: `$ state channels.1.subscribers`               |
 * | `$ request` | sends a request without the program: `$ request cora PATCH /streams/1 new_name=x .id` prints the member `id` |
 * | `? …`     | a question at the terminal                                                           |
 * | `! …`     | a line of stderr                                                                     |
 * | `> …`     | a request that may change something, decoded                                         |
 * | `[5]`     | the exit code, unless it is 0                                                        |
 * | other     | a line of stdout; `→` is a tab, `RUN1` the name of the first run of a batch          |
 *
 * Lines with `%` arrange something for the commands after them:
 *
 * | directive                                | what it does                                          |
 * | ---------------------------------------- | ----------------------------------------------------- |
 * | `% level 371`                            | begins again with a fresh sandbox of that level       |
 * | `% given channel design {"name":"x"}`    | changes the organization, as in `test/organization`   |
 * | `% given NAME`                           | the same by a function of `setups.ts`                 |
 * | `% before POST /invites: given …`        | somebody changes it right before this request         |
 * | `% before 2 POST /register: given …`     | the same before the second request of this kind       |
 * | `% fault 502:op=invite.add`              | faults, as `zulipctl sandbox start --fault` takes them |
 * | `% as 200`, `% as otis@sandbox.example`  | whose credentials the environment holds               |
 * | `% anonymous`                            | no credentials                                        |
 * | `% profile work`                         | a profile instead, with its key in the keychain       |
 * | `% organizations acme lab`               | profiles of organizations at https://acme.example, …  |
 * | `% in acme`                              | `given` and `state` are about this organization       |
 * | `% terminal`, `% terminal 80`, `% pipe`  | whether stdin, stdout and stderr are a terminal       |
 * | `% answer yes no "a text"`               | answers to questions; a missing one is Ctrl-C         |
 * | `% password x`                           | answers questions for a password                      |
 * | `% reads`                                | shows requests that only read, too                    |
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replay } from "./transcripts/transcript.ts";

const folder = `${import.meta.dirname}/transcripts`;
const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));

test.each(names)("%s prints what is recorded", async (name) => {
  const path = `${folder}/${name}`;
  await expect(await replay(readFileSync(path, "utf8"))).toMatchFileSnapshot(path);
});
