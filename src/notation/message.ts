/** The limits of a message. Servers silently cut longer ones. */
import { nfc } from "../common/folding.ts";
import { Usage } from "../errors.ts";
import { namelessTopic } from "../model/topic.ts";
import { maxMessageLength } from "./draft.ts";

const maxTopicLength = 60;

const lengthOf = (text: string): number => [...text].length;

/** Returns the topic as servers keep it. Throws `Usage` if a server would cut or refuse it. */
export function parseTopic(text: string, flag: string): string {
  const typed = nfc(text.trim());
  const topic = typed.toLowerCase() === namelessTopic ? "" : typed;
  const length = lengthOf(topic);
  if (length > maxTopicLength)
    throw new Usage(`${flag}: invalid topic: it has ${length} characters, and at most ${maxTopicLength} are allowed`);
  if (/[\u0000-\u001f\u007f\ufffe]/.test(topic)) throw new Usage(`${flag}: invalid topic: it has a control character`);
  return topic;
}

/** Returns the content. Throws `Usage` if a server would cut or refuse it. */
export function checkContent(content: string, flag: string): string {
  const length = lengthOf(content.trimEnd());
  if (!content.trim()) throw new Usage(`${flag}: the message is empty`);
  if (content.includes("\0")) throw new Usage(`${flag}: the message has a null byte`);
  if (length > maxMessageLength)
    throw new Usage(
      `${flag}: the message has ${length.toLocaleString("en")} characters, and at most ${maxMessageLength.toLocaleString("en")} are allowed`,
    );
  return content;
}
