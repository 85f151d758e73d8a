import { createExport, getConsents, getExports, removeExport } from "../../api/exports.ts";
import { mustBe, orRefused, refused } from "../answers.ts";
import { anInteger, fromJson, notPossible, oneOf } from "../decode.ts";
import { administrators, send } from "../events/queue.ts";
import { on, since, type Visit } from "../router.ts";
import { type DataExport, isBot, isOwner, nextId } from "../state.ts";
import { randomText } from "../text.ts";

const words = ["public", "full_with_consent", "full_without_consent"] as const;

/** The path below the organization's address. */
export const exportPath = ({ id, secret }: DataExport): string =>
  `/user_avatars/exports/2/${secret}/zulip-export-${id}.tar.gz`;

export function exportRecord({ level, now, site }: Visit, each: DataExport): object {
  const pending = now < each.ready_time;
  const { deleted_time } = each;
  return {
    id: each.id,
    acting_user_id: each.acting_user_id,
    export_time: each.export_time / 1000,
    export_url: pending || deleted_time !== null ? null : `${site}${exportPath(each)}`,
    deleted_timestamp: deleted_time === null ? null : deleted_time / 1000,
    failed_timestamp: null,
    pending,
    export_type: level < 449 ? words.indexOf(each.export_type) + 1 : each.export_type,
    ...since(level, 506, { export_from_prior_server: false }),
  };
}

const exportRecords = (visit: Visit): object[] =>
  [...visit.state.exports.values()].map((each) => exportRecord(visit, each));

const exportsChanged = (visit: Visit): void =>
  send(visit, { type: "realm_export", exports: exportRecords(visit) }, administrators(visit.state));

const week = 7 * 24 * 3600 * 1000;
const mostInAWeek = 5;
const mostMessages = 250_000;
const gibibyte = 1024 ** 3;
/** How long an export takes. */
const work = 2000;

function exportType(text: string, name: string, level: number): DataExport["export_type"] {
  // The refusal of this level was not seen. It follows those of similar parameters.
  if (level >= 449) return oneOf(words)(text, name);
  const type = fromJson(anInteger)(text, name, level);
  if (type !== 1 && type !== 2) throw refused(notPossible(name));
  return type === 1 ? "public" : "full_with_consent";
}

export const exportRoutes = [
  on(
    createExport,
    { who: "administrator", decode: { export_type: exportType } },
    (call, { export_type = "public" }) => {
      const { state, caller, now, level, random } = call;
      const recent = [...state.exports.values()].filter(({ export_time }) => export_time > now - week);
      if (recent.length >= mostInAWeek) throw refused("Exceeded rate limit.");
      const { estimated_messages_sent, upload_bytes, manual_export_email: address } = state.organization;
      if (estimated_messages_sent > mostMessages || upload_bytes > (level > 371 ? 20 : 10) * gibibyte) {
        throw refused(
          level <= 371
            ? `Please request a manual export from ${address}.`
            : `The export you requested is too large for automatic processing. Please request a manual export by contacting ${address}.`,
        );
      }
      // The words of this refusal were not seen.
      const forbidden = !isOwner(caller) || !state.organization.owner_full_content_access;
      if (export_type === "full_without_consent" && forbidden) throw mustBe("owner");
      const id = nextId(state, "export");
      state.exports.set(id, {
        id,
        acting_user_id: caller.user_id,
        export_type,
        export_time: now,
        ready_time: now + work,
        deleted_time: null,
        secret: randomText(random, 24),
      });
      exportsChanged(call);
      return { id };
    },
  ),

  on(getExports, { who: "administrator", silent: true }, (call) => ({ exports: exportRecords(call) })),

  on(removeExport, { who: "administrator", silent: true }, (call, { export_id }) => {
    const found = orRefused(call.state.exports.get(export_id), "Invalid data export ID");
    if (found.deleted_time !== null) throw refused("Export already deleted");
    if (call.now < found.ready_time) throw refused("Export still in progress");
    found.deleted_time = call.now;
    exportsChanged(call);
  }),

  on(getConsents, { who: "administrator", silent: true }, ({ state, level }) => ({
    export_consents: [...state.users.values()]
      .filter((user) => user.is_active && !isBot(user))
      .map(({ user_id, allow_private_data_export, email_address_visibility }) => ({
        user_id,
        consented: allow_private_data_export,
        ...(level < 430 ? {} : { email_address_visibility }),
      })),
  })),
];
