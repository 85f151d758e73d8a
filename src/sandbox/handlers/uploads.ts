/** Files that people upload: they link them in messages, and remove them. */

import { getAttachments, getAttachmentUrl, removeAttachment, uploadFile } from "../../api/attachments.ts";
import { strip } from "../../common/folding.ts";
import { MiB } from "../../common/unit-sizes.ts";
import { badRequest, PageError } from "../answers.ts";
import { sendEvent } from "../events/queue.ts";
import { canRead } from "../files.ts";
import { maxUploadMiB } from "../register-realm.ts";
import { type HandlerCall, type HandlerContext, on } from "../router.ts";
import { nextId } from "../state.ts";
import type { StoredAttachment } from "../stored-personal.ts";
import { randomText } from "../text.ts";

export function attachmentRecord(
  { state, level }: HandlerContext,
  { id, name, path_id, size, create_time, message_ids }: StoredAttachment,
): object {
  // Before this level, times are milliseconds; from it on, seconds.
  const time = (ms: number) => (level < 443 ? ms : Math.floor(ms / 1000));
  const messages = message_ids.flatMap((message) => state.messages.get(message) ?? []);
  return {
    id,
    name,
    path_id,
    size,
    create_time: time(create_time),
    ...(level < 472
      ? { messages: messages.map(({ id, date_sent }) => ({ id, date_sent: time(date_sent) })) }
      : { message_ids: messages.map(({ id }) => id) }),
  };
}

const decodePercent = (name: string): string =>
  name.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"));

/** The name in the file's address. */
const addressName = (name: string): string =>
  strip(name.normalize("NFKC").replace(/[^\p{L}\p{N}_\s.-]/gu, "")).replace(/[-\s]+/g, "-");

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function sendAttachmentEvent(call: HandlerCall, op: "add" | "remove" | "update", attachment: object): void {
  const upload_space_used = call.state.organization.upload_bytes;
  sendEvent(call, { type: "attachment", op, attachment, upload_space_used }, [call.caller]);
}

/** Sends that files are in a new message. */
export function sendFilesLinked(call: HandlerCall, message_id: number): void {
  for (const file of call.state.attachments.values())
    if (file.owner_id === call.caller.user_id && file.message_ids.includes(message_id))
      sendAttachmentEvent(call, "update", attachmentRecord(call, file));
}

export const uploadRoutes = [
  on(uploadFile, { silent: true }, (call) => {
    const { state, caller, files, random, now } = call;
    const [file, another] = files;
    if (another) throw badRequest("You may only upload one file at a time");
    const filename = decodePercent(file?.name ?? "");
    if (!file || ["", "..", "."].includes(filename)) throw badRequest("You must specify a file to upload");
    if (file.bytes.length > maxUploadMiB * MiB)
      throw badRequest(`File is larger than this server's configured maximum upload size (${maxUploadMiB} MiB).`);
    const folder = `${randomText(random, 2, "0123456789abcdef")}/${randomText(random, 24, base64)}`;
    const attachment = {
      id: nextId(state, "attachment"),
      owner_id: caller.user_id,
      name: filename,
      path_id: `2/${folder}/${addressName(filename)}`,
      size: file.bytes.length,
      create_time: now,
      message_ids: [],
      bytes: file.bytes,
    };
    state.attachments.set(attachment.id, attachment);
    state.organization.upload_bytes += attachment.size;
    sendAttachmentEvent(call, "add", attachmentRecord(call, attachment));
    const url = `/user_uploads/${attachment.path_id}`;
    return { uri: url, url, filename };
  }),

  on(getAttachmentUrl, { silent: true }, ({ state, caller }, { path_id }) => {
    const attachment = [...state.attachments.values()].find((each) => each.path_id === path_id);
    if (!attachment) throw new PageError(404, "Page not found");
    if (!canRead(state, caller.user_id, attachment)) throw new PageError(403, "Access denied");
    const token = Buffer.from(path_id).toString("hex").toUpperCase();
    return { url: `/user_uploads/temporary/${token}/${path_id.replace(/.*\//, "")}` };
  }),

  on(getAttachments, { silent: true }, (call) => ({
    attachments: [...call.state.attachments.values()]
      .filter(({ owner_id }) => owner_id === call.caller.user_id)
      .map((attachment) => attachmentRecord(call, attachment)),
    upload_space_used: call.state.organization.upload_bytes,
  })),

  on(removeAttachment, { silent: true }, (call, { attachment_id }) => {
    const { state, caller } = call;
    const attachment = state.attachments.get(attachment_id);
    if (attachment?.owner_id !== caller.user_id) throw badRequest("Invalid attachment");
    state.attachments.delete(attachment_id);
    state.organization.upload_bytes -= attachment.size;
    sendAttachmentEvent(call, "remove", { id: attachment_id });
  }),
];
