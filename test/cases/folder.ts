import { createFolder, reorderFolders, updateFolder } from "../../src/api/folders.ts";
import type { folderNoun } from "../../src/commands/folder.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, read, since, usage } from "./case.ts";

/** Adds an empty folder. */
const addFolder = ({ folders }: SandboxState) =>
  void folders.set(3, { ...folders.get(2)!, id: 3, name: "Teams", is_archived: false, order: 3 });

export const cases: CasesOf<typeof folderNoun> = {
  create: change(createFolder, {
    lines: [
      {
        typed: "'Fault lines' --description d",
        sends: "POST /channel_folders/create name=Fault+lines&description=d",
        prints: "Created folder 3.\n",
        ids: "3\n",
        json: '{"channel_folder_id":3}\n',
        shows:
          "POST https://chat.example/api/v1/channel_folders/create  folder.create\n" +
          '  name = "Fault lines"\n  description = "d"\n',
        made: ({ folders }, before) => folders.size - before.folders.size,
        ignoring: { params: ["name"], code: 1 },
      },
    ],
    wire: [
      // An empty description is sent too.
      ["x", "POST /channel_folders/create name=x&description="],
      ["x --description y", "POST /channel_folders/create name=x&description=y"],
    ],
    refused: [
      { typed: "Plans", as: 300, says: "Must be an organization administrator" },
      {
        typed: "projects --description Other",
        says: 'folder "projects" exists with another description ("What we are **making**"). To change it: --or-update, or zulipctl folder update projects',
      },
      { typed: "x".repeat(61), says: "name is too long (limit: 60 characters)" },
      ...since(389, { Plans: "folder create" }),
    ],
  }),

  update: change(updateFolder, {
    lines: [
      {
        typed: "1 --new-name 'Fault lines' --description d",
        sends: "PATCH /channel_folders/1 name=Fault+lines&description=d",
        prints: "Updated folder 1: new name, description.\n",
        made: ({ folders }) => {
          const { name, description } = folders.get(1)!;
          return name === "Fault lines" && description === "d";
        },
        ignoring: { params: ["name", "description"], code: 5 },
        parts: ["name", "description"],
      },
      {
        typed: "Projects --new-name 'Work & play'",
        sends: ["GET /channel_folders?include_archived=true", "PATCH /channel_folders/1 name=Work+%26+play"],
        prints: 'Updated folder "Projects": new name.\n',
        made: ({ folders }) => folders.get(1)!.name === "Work & play",
      },
    ],
    wire: [["1 --description ''", "PATCH /channel_folders/1 description="]],
    refused: [
      ...usage({
        "1": 'folder update requires at least one flag that says what to change\nRun "zulipctl folder update --help" for usage.',
      }),
      { typed: "1 --description x", as: 400, says: "Must be an organization administrator" },
      ...since(389, { "1 --new-name x": "folder update" }),
    ],
  }),

  archive: change(updateFolder, {
    several: true,
    lines: [
      {
        typed: "teams",
        given: addFolder,
        sends: ["GET /channel_folders?include_archived=true", "PATCH /channel_folders/3 is_archived=true"],
        prints: 'Archived folder "teams".\n',
        json: '[{"operation":"folder.update","target":"teams","outcome":"done","answer":{}}]\n',
        made: ({ folders }) => folders.get(3)!.is_archived,
        ignoring: { params: ["is_archived"], code: 5 },
      },
    ],
    refused: [
      { typed: "1", says: "You need to remove all the channels from this folder to archive it." },
      {
        typed: "1 3",
        given: addFolder,
        code: 5,
        partly: true,
        prints: "Archived folder 3.\n",
        says: "1 of 2 not done (1 refused): 1: You need to remove all the channels from this folder to archive it.",
      },
      ...since(389, { Past: "folder archive" }),
      ...usage({
        Nowhere:
          '<folder>: folder "Nowhere" not found, or not visible to this account\nAvailable: Projects (1), Past (2, archived).',
      }),
    ],
  }),

  unarchive: change(updateFolder, {
    several: true,
    lines: [
      {
        typed: "2",
        sends: ["GET /channel_folders?include_archived=true", "PATCH /channel_folders/2 is_archived=false"],
        prints: "Unarchived folder 2.\n",
        made: ({ folders }) => !folders.get(2)!.is_archived,
        ignoring: { params: ["is_archived"], code: 5 },
      },
    ],
    refused: [
      { typed: "Past", as: 400, says: "Must be an organization administrator" },
      ...since(389, { Past: "folder unarchive" }),
    ],
  }),

  reorder: change(reorderFolders, {
    lines: [
      {
        typed: "3 past",
        given: addFolder,
        sends: ["GET /channel_folders?include_archived=true", "PATCH /channel_folders order=%5B3%2C2%2C1%5D"],
        prints: "The order of the folders is now 3, 2, 1.\n",
        json: "{}\n",
        shows:
          "PATCH https://chat.example/api/v1/channel_folders  folder.reorder\n  order = [3 (Teams),2 (Past),1 (Projects)]\n",
        made: ({ folders }) => folders.get(3)!.order < folders.get(2)!.order,
        ignoring: { params: ["order"], code: 1 },
      },
      { typed: "-", input: "", sends: [], prints: "No folder is named: the order stays as it is.\n" },
    ],
    refused: [
      ...usage({ "9": "<folder>: folder 9 not found\nList them with: zulipctl folder list --archived" }),
      ...since(414, { Past: "folder reorder" }),
    ],
  }),

  list: read({
    lines: [
      {
        typed: "",
        sends: "GET /channel_folders",
        prints: "ID\tNAME\tDESCRIPTION\n1\tProjects\tWhat we are **making**\n",
        ids: "1\n",
      },
      {
        typed: "--archived",
        sends: "GET /channel_folders?include_archived=true",
        prints:
          "ID\tNAME\tARCHIVED\tDESCRIPTION\n1\tProjects\t\tWhat we are **making**\n2\tPast\tyes\tFolders nobody needs\n",
        ids: "1\n2\n",
      },
    ],
    refused: [...since(389, { "": "folder list" })],
  }),
};
