import { createExport, getConsents, getExports, removeExport } from "../../api/exports.ts";
import { mustBe, refused } from "../api-error.ts";
import { anInteger, type Decoder, fromJson } from "../decode.ts";
import { exportsChanged } from "../events/organization.ts";
import { randomText } from "../random-text.ts";
import { exportRecord, exportTypes as words } from "../records/small.ts";
import { on } from "../router.ts";
import { type DataExport, isBot, isOwner, nextId, type State } from "../state.ts";

const week = 7 * 24 * 3600 * 1000;
const mostInAWeek = 5;
const mostMessages = 250_000;
const gibibyte = 1024 ** 3;
/** How long an export takes here. */
const work = 2000;

const exportType: Decoder = (text, name, level) => {
  if (level < 449) {
    return fromJson((value, path) => {
      const type = anInteger(value, path);
      if (type !== 1 && type !== 2) throw refused(`Invalid ${path}: Value error, Not in the list of possible values`);
      return words[type - 1];
    })(text, name, level);
  }
  // The code of this level was not seen; the words follow those of other parameters of this shape.
  if (!words.includes(text as never)) throw refused(`Invalid ${name}`);
  return text;
};

function tooLarge({ organization }: State, level: number): boolean {
  const bytes = (level > 371 ? 20 : 10) * gibibyte;
  return organization.estimated_messages_sent > mostMessages || organization.upload_bytes > bytes;
}

export const exportRoutes = [
  on(
    createExport,
    { who: "administrator", decode: { export_type: exportType } },
    (call, { export_type = "public" }) => {
      const { state, caller, now, level, random } = call;
      const recent = [...state.exports.values()].filter(({ export_time }) => export_time > now - week);
      if (recent.length >= mostInAWeek) throw refused("Exceeded rate limit.");
      if (tooLarge(state, level)) {
        const address = state.organization.manual_export_email;
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
      const type = (words.indexOf(export_type) + 1) as DataExport["export_type"];
      state.exports.set(id, {
        id,
        acting_user_id: caller.user_id,
        export_type: type,
        export_time: now,
        ready_time: now + work,
        deleted_time: null,
        secret: randomText(random, 24),
      });
      exportsChanged(call);
      return level < 182 ? {} : { id };
    },
  ),

  on(getExports, { who: "administrator", silent: true }, (call) => ({
    exports: [...call.state.exports.values()].map((each) => exportRecord(call, each)),
  })),

  on(removeExport, { who: "administrator", silent: true }, (call, { export_id }) => {
    const found = call.state.exports.get(export_id);
    if (!found) throw refused("Invalid data export ID");
    if (found.deleted_time !== null) throw refused("Export already deleted");
    if (call.now < found.ready_time) throw refused("Export still in progress");
    found.deleted_time = call.now;
    exportsChanged(call);
    return {};
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
