import { addPlayground, removePlayground } from "../../src/api/playgrounds.ts";
import type { playgroundNoun } from "../../src/commands/playground.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, read } from "./case.ts";

const template = "https://play.example.com/?code={code}";

const addPlaygrounds = ({ playgrounds }: SandboxState) =>
  void playgrounds.push(
    { id: 1, name: "Play", pygments_language: "Rust", url_template: template },
    { id: 2, name: "Play", pygments_language: "Go", url_template: template },
  );

export const cases: CasesOf<typeof playgroundNoun> = {
  add: change(addPlayground, {
    lines: [
      {
        typed: `Rust Play '${template}'`,
        sends:
          "POST /realm/playgrounds name=Play&pygments_language=Rust&url_template=https%3A%2F%2Fplay.example.com%2F%3Fcode%3D%7Bcode%7D",
        prints: "Added playground 1.\n",
        ids: "1\n",
        made: ({ playgrounds }) => playgrounds.length,
      },
    ],
    refused: [
      {
        typed: "Rust Play https://play.example.com",
        says: 'Missing the required variable "code" in the URL template',
      },
    ],
  }),

  rm: change(removePlayground, {
    several: true,
    lines: [
      {
        typed: "1 --yes",
        given: addPlaygrounds,
        sends: "DELETE /realm/playgrounds/1",
        prints: "Deleted playground 1.\n",
        made: ({ playgrounds }) => 2 - playgrounds.length,
      },
    ],
    wire: [["7 8", ["DELETE /realm/playgrounds/7", "DELETE /realm/playgrounds/8"]]],
    refused: [{ typed: "7 --yes", says: "Invalid playground" }],
  }),

  list: read({
    lines: [
      {
        typed: "",
        given: addPlaygrounds,
        sends: [
          "POST /register event_types=%5B%22realm_playgrounds%22%5D&fetch_event_types=%5B%22realm_playgrounds%22%5D",
          "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
        ],
        ids: "1\n2\n",
      },
    ],
  }),
};
