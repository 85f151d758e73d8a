import { createExport, exportTypes, getConsents, getExports, removeExport, typeWordsSince } from "../../api/exports.ts";
import { isWithin, priorExports } from "../../api/levels.ts";
import { day } from "../../common/unit-sizes.ts";
import { checkOwner } from "../access.ts";
import { badRequest, requireFound } from "../answers.ts";
import { anInteger, anyOf, fromJson, impossibleValue } from "../decode.ts";
import { administrators, sendEvent } from "../events/queue.ts";
import { type HandlerContext, on } from "../router.ts";
import { isBot, nextId, type StoredExport } from "../state.ts";
import { randomText } from "../text.ts";

/** The path below the organization's address. */
export const exportPath = ({ id, secret }: StoredExport): string =>
  `/user_avatars/exports/2/${secret}/zulip-export-${id}.tar.gz`;

function exportRecord({ level, now, site }: HandlerContext, each: StoredExport): object {
  const pending = now < each.ready_time;
  const { deleted_time, from_prior_server: isPrior = false } = each;
  // Level 468 has whole numbers. When that began is not known.
  const seconds = (ms: number) => (level > 442 ? Math.floor(ms / 1000) : ms / 1000);
  return {
    id: each.id,
    acting_user_id: each.acting_user_id,
    export_time: seconds(each.export_time),
    export_url: pending || isPrior || deleted_time !== null ? null : `${site}${exportPath(each)}`,
    deleted_timestamp: deleted_time === null ? null : seconds(deleted_time),
    failed_timestamp: null,
    pending,
    export_type: level < typeWordsSince ? exportTypes.indexOf(each.export_type) + 1 : each.export_type,
    ...(isWithin(priorExports, level) && { export_from_prior_server: isPrior }),
  };
}

const exportRecords = (context: HandlerContext): object[] =>
  [...context.state.exports.values()].map((each) => exportRecord(context, each));

const sendExports = (context: HandlerContext): void =>
  sendEvent(context, { type: "realm_export", exports: exportRecords(context) }, administrators(context.state));

const announced = new WeakSet<StoredExport>();

/** Reports the exports that are complete by now. */
export function announceExports(context: HandlerContext): void {
  const complete = [...context.state.exports.values()].filter(
    (each) => !announced.has(each) && each.ready_time <= context.now,
  );
  for (const each of complete) announced.add(each);
  if (complete.length > 0) sendExports(context);
}

const week = 7 * day;
const maxPerWeek = 5;
const maxMessages = 250_000;
const gibibyte = 1024 ** 3;
/** How long an export takes. */
const exportDuration = 2000;

function exportType(text: string, name: string, level: number): StoredExport["export_type"] {
  if (level >= typeWordsSince) return anyOf(exportTypes)(text, name);
  const type = fromJson(anInteger)(text, name, level);
  if (type !== 1 && type !== 2) throw badRequest(impossibleValue(name));
  return type === 1 ? "public" : "full_with_consent";
}

export const exportRoutes = [
  on(createExport, { decode: { export_type: exportType } }, (call, { export_type = "public" }) => {
    const { state, caller, now, level, random } = call;
    const recent = [...state.exports.values()].filter(({ export_time }) => export_time > now - week);
    if (recent.length >= maxPerWeek) throw badRequest("Exceeded rate limit.");
    const { estimated_messages_sent, upload_bytes, manual_export_email: address } = state.organization;
    if (estimated_messages_sent > maxMessages || upload_bytes > (level > 371 ? 20 : 10) * gibibyte) {
      throw badRequest(
        level <= 371
          ? `Please request a manual export from ${address}.`
          : `The export you requested is too large for automatic processing. Please request a manual export by contacting ${address}.`,
      );
    }
    if (export_type === "full_without_consent") {
      if (!state.organization.owner_full_content_access)
        throw badRequest("Exports of all public and private data are not enabled for this organization.");
      checkOwner(caller);
    }
    const id = nextId(state, "export");
    state.exports.set(id, {
      id,
      acting_user_id: caller.user_id,
      export_type,
      export_time: now,
      ready_time: now + exportDuration,
      deleted_time: null,
      secret: randomText(random, 24),
    });
    sendExports(call);
    return { id };
  }),

  on(getExports, { silent: true }, (call) => ({ exports: exportRecords(call) })),

  on(removeExport, { silent: true }, (call, { export_id }) => {
    const found = requireFound(call.state.exports.get(export_id), "Invalid data export ID");
    // The words of this refusal are not documented.
    if (found.from_prior_server) throw badRequest("Exports from a prior server cannot be deleted");
    if (found.deleted_time !== null) throw badRequest("Export already deleted");
    if (call.now < found.ready_time) throw badRequest("Export still in progress");
    found.deleted_time = call.now;
    sendExports(call);
  }),

  on(getConsents, { silent: true }, ({ state, level }) => ({
    export_consents: [...state.users.values()]
      .filter((user) => user.is_active && !isBot(user))
      .map(({ user_id, allow_private_data_export, email_address_visibility }) => ({
        user_id,
        consented: allow_private_data_export,
        ...(level < 430 ? {} : { email_address_visibility }),
      })),
  })),
];
