/** Reads an export: its log, and the names of what is in the log. */
import { integer, string } from "../wire/types.ts";
import type { Files } from "../world/world.ts";
import { incomplete, readArchive, readFolder as readDirectory, type Sink } from "./archive.ts";
import { Contents } from "./contents.ts";
import { Names } from "./name-history.ts";
import { PackedLog } from "./packed-log.ts";
import { type LogRow, logFlag, logTime, readAccount, readLogRow, tableReader } from "./rows.ts";
import { type OnRow, tableSink } from "./table-reader.ts";

/** The bytes of an archive, or a folder. Messages show `name`. */
export type ExportSource = ({ bytes: AsyncIterable<Uint8Array> } | { folder: string }) & {
  name: string;
  /** Called after reading with the time of the request, in seconds, if that is known. */
  onRead?: (requested: number) => Promise<void>;
};

/** Receivers of rows by file and table. `messages.json` stands for all files of messages. Other files are skipped. */
type Tables = Readonly<Record<string, Readonly<Record<string, OnRow>>>>;

const readRequest = tableReader("zerver_realmexport", { date_requested: logTime });

/** Throws `Usage` for a damaged export, and for one without a file or table that has rows to receive. */
export async function readExport(files: Files, source: ExportSource, tables: Tables): Promise<void> {
  // The newest export in the list is this one.
  let requested = Number.NEGATIVE_INFINITY;
  const zerver_realmexport: OnRow = (row) => {
    requested = Math.max(requested, readRequest(row).date_requested);
  };
  const all: Tables = { ...tables, "realm.json": { ...tables["realm.json"], zerver_realmexport } };
  const contents = new Contents(all);
  const sinkOf = (file: string): Sink | undefined => {
    const statistics = contents.add(file);
    if (statistics) return statistics;
    const name = contents.kindOf(file);
    return Object.hasOwn(all, name)
      ? tableSink(file, all[name]!, (table) => contents.addTable(file, table))
      : undefined;
  };
  if ("folder" in source) await readDirectory(files, source.folder, sinkOf);
  else await readArchive(source.bytes, source.name, sinkOf);
  const missing = contents.missing();
  if (missing !== undefined) throw incomplete(source.name, `it has no ${missing}`);
  if (Number.isFinite(requested)) await source.onRead?.(requested);
}

const readOrganization = tableReader("zerver_realm", { id: integer, name: string });
const readChannel = tableReader("zerver_stream", { id: integer, name: string });
const readFolder = tableReader("zerver_channelfolder", { id: integer, name: string });
const readGroup = tableReader("zerver_namedusergroup", {
  usergroup_ptr: integer,
  name: string,
  is_system_group: logFlag,
});
const readMember = tableReader("zerver_usergroupmembership", { user_group: integer, user_profile: integer });
const readSubgroup = tableReader("zerver_groupgroupmembership", { supergroup: integer, subgroup: integer });

/** Reads the names of people, channels, groups, folders, and of the organization. */
function nameTables(names: Names): Record<string, OnRow> {
  const addPerson: OnRow = (row) => names.addPerson(readAccount(row));
  return {
    zerver_realm: (row) => {
      names.organization = readOrganization(row);
    },
    zerver_userprofile: addPerson,
    zerver_userprofile_mirrordummy: addPerson,
    zerver_stream: (row) => {
      const channel = readChannel(row);
      names.add("channel", channel);
      names.channelValues.add(channel.id, row);
    },
    zerver_channelfolder: (row) => names.add("folder", readFolder(row)),
    zerver_namedusergroup: (row) => {
      const { usergroup_ptr: id, name, is_system_group } = readGroup(row);
      names.add("group", { id, name });
      if (is_system_group) names.addRole(id);
    },
    zerver_usergroupmembership: (row) => {
      const { user_group, user_profile } = readMember(row);
      names.addMember(user_group, "direct_members", user_profile);
    },
    zerver_groupgroupmembership: (row) => {
      const { supergroup, subgroup } = readSubgroup(row);
      names.addMember(supergroup, "direct_subgroups", subgroup);
    },
  };
}

/** Calls `onRow` with each row in the order of the export, before any name is known. */
export async function readExportLog(files: Files, source: ExportSource, onRow: (row: LogRow) => void) {
  const [log, names] = [new PackedLog(), new Names()];
  const zerver_realmauditlog: OnRow = (tableRow) => {
    const row = readLogRow(tableRow);
    onRow(row);
    log.add(row);
  };
  await readExport(files, source, { "realm.json": { ...nameTables(names), zerver_realmauditlog } });
  return { log, names };
}
