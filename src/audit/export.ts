/** Reads an export: its log, and the names of what is in the log. */
import type { Files } from "../world.ts";
import { readArchive, readFolder, type Sink } from "./archive.ts";
import { Log } from "./log.ts";
import { Names } from "./names.ts";
import { account, type LogRow, logRow, Reader } from "./rows.ts";
import { type OnRow, tableSink } from "./tables.ts";

/** The input: bytes of an archive, or a folder. `name` is for messages. */
export type Source = ({ bytes: AsyncIterable<Uint8Array> } | { folder: string }) & {
  name: string;
  /** Called once it was read, with the time at which it was requested, in seconds; not called if unknown. */
  onRead?: (requested: number) => Promise<void>;
};

/** Readers by file and table. `messages.json` stands for all files of messages. Other files are skipped. */
export type Tables = Readonly<Record<string, Readonly<Record<string, OnRow>>>>;

export async function readExport(files: Files, source: Source, tables: Tables): Promise<void> {
  // The newest export in the list of exports is this one.
  let requested = Number.NEGATIVE_INFINITY;
  const zerver_realmexport: OnRow = (row) => {
    requested = Math.max(requested, new Reader("zerver_realmexport", row).time("date_requested"));
  };
  const all: Tables = { ...tables, "realm.json": { ...tables["realm.json"], zerver_realmexport } };
  const sinkOf = (file: string): Sink | undefined => {
    const name = file.replace(/^messages-\d+\.json$/, "messages.json");
    return Object.hasOwn(all, name) ? tableSink(file, all[name]!) : undefined;
  };
  if ("folder" in source) await readFolder(files, source.folder, sinkOf);
  else await readArchive(source.bytes, source.name, sinkOf);
  if (Number.isFinite(requested)) await source.onRead?.(requested);
}

/** Reads the names of people, channels, groups, and of the organization. */
function nameTables(names: Names): Record<string, OnRow> {
  const person: OnRow = (row) => names.addPerson(account(row));
  return {
    zerver_realm: (row) => {
      const of = new Reader("zerver_realm", row);
      names.organization = { id: of.id(), name: of.text("name") };
    },
    zerver_userprofile: person,
    zerver_userprofile_mirrordummy: person,
    zerver_stream: (row) => {
      const of = new Reader("zerver_stream", row);
      names.addChannel(of.id(), of.text("name"));
    },
    zerver_namedusergroup: (row) => {
      const of = new Reader("zerver_namedusergroup", row);
      names.addGroup(of.id("usergroup_ptr"), of.text("name"), of.yes("is_system_group"));
    },
    zerver_usergroupmembership: (row) => {
      const of = new Reader("zerver_usergroupmembership", row);
      names.addMember(of.id("user_group"), "direct_members", of.id("user_profile"));
    },
    zerver_groupgroupmembership: (row) => {
      const of = new Reader("zerver_groupgroupmembership", row);
      names.addMember(of.id("supergroup"), "direct_subgroups", of.id("subgroup"));
    },
  };
}

/** `seen` is called with each row in the order of the export, before any name is known. */
export async function readLog(
  files: Files,
  source: Source,
  seen: (row: LogRow) => void,
): Promise<{ log: Log; names: Names }> {
  const [log, names] = [new Log(), new Names()];
  const zerver_realmauditlog: OnRow = (row) => {
    const read = logRow(row);
    seen(read);
    log.add(read);
  };
  await readExport(files, source, { "realm.json": { ...nameTables(names), zerver_realmauditlog } });
  return { log, names };
}
