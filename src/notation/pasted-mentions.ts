/** Mentions as they are copied out of messages: `#**design**`, `@**Ada Lovelace|7**`, `@*writers*`. */
import { Usage } from "../errors.ts";

const channel = /^#\*\*([^*>]+)(>[^*]*)?\*\*$/;
const group = /^@_?\*([^*]+)\*$/;
const person = /^@_?\*\*([^*|]+)(?:\|(\d+))?\*\*$/;

/** Returns the channel of a mention. Undefined for other texts. Throws `Usage` for a topic. */
export function mentionedChannel(text: string, flag: string): { name: string } | undefined {
  const [, name, topic] = channel.exec(text) ?? [];
  if (topic !== undefined)
    throw new Usage(`${flag}: "${text}" names a topic, not a channel`, { hint: `Write the channel: #${name}` });
  return name === undefined ? undefined : { name };
}

export function mentionedGroup(text: string): { name: string } | undefined {
  const [, name] = group.exec(text) ?? [];
  return name === undefined ? undefined : { name };
}

export function mentionedPerson(text: string): { id: number } | { name: string } | undefined {
  const [, name, id] = person.exec(text) ?? [];
  if (id !== undefined) return { id: Number(id) };
  return name === undefined ? undefined : { name };
}
