import { createFolder, updateFolder } from "../../src/api/folders.ts";
import type { folder } from "../../src/commands/folder.ts";
import { type CasesOf, change, read } from "./case.ts";

export const cases: CasesOf<typeof folder> = {
  create: change(createFolder, {
    takes: ["<name>", "--description <text>"],
    lines: [
      {
        typed: "'Fault lines' --description d",
        sends: "POST /channel_folders/create name=Fault+lines&description=d",
        prints: "Folder 3 created.\n",
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
      // The description goes out also where it is empty.
      ["x", "POST /channel_folders/create name=x&description="],
      ["x --description y", "POST /channel_folders/create name=x&description=y"],
    ],
    refused: [
      { typed: "Plans", as: 300, says: "Must be an organization administrator" },
      { typed: "projects", says: "Channel folder name already in use" },
      { typed: [" "], says: "Channel folder name can't be empty." },
      { typed: "x".repeat(61), says: "name is too long (limit: 60 characters)" },
      { typed: "Plans", level: 371, says: "folder create needs feature level 389; chat.example has 371" },
      { typed: "", code: 2, says: "folder create needs <name>\nSee: zulipctl folder create --help" },
    ],
  }),

  update: change(updateFolder, {
    takes: ["<folder>", "--new-name <text>", "--description <text>"],
    lines: [
      {
        typed: "1 --new-name 'Fault lines' --description d",
        sends: "PATCH /channel_folders/1 name=Fault+lines&description=d",
        prints: "Folder 1 updated.\n",
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
        prints: "Folder Projects updated.\n",
        made: ({ folders }) => folders.get(1)!.name === "Work & play",
      },
    ],
    wire: [["1 --description ''", "PATCH /channel_folders/1 description="]],
    refused: [
      {
        typed: "1",
        code: 2,
        says: "folder update needs at least one flag that says what to change\nSee: zulipctl folder update --help",
      },
      { typed: "1 --description x", as: 400, says: "Must be an organization administrator" },
      { typed: ["1", "--new-name", " "], says: "Channel folder name can't be empty." },
      { typed: "1 --new-name x", level: 388, says: "folder update needs feature level 389; chat.example has 388" },
    ],
  }),

  list: read({
    takes: ["--archived"],
    lines: [
      {
        typed: "",
        sends: "GET /channel_folders",
        prints: "ID\tNAME\tDESCRIPTION\n1\tProjects\tWhat we are **making**\n",
        ids: "1\n",
      },
      { typed: "--archived", sends: "GET /channel_folders?include_archived=true", ids: "1\n2\n" },
    ],
    refused: [{ typed: "", level: 371, says: "folder list needs feature level 389; chat.example has 371" }],
  }),
};
