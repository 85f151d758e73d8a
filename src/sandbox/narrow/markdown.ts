/**
 * Renders the Markdown that the sandbox needs: paragraphs, quotes, lists, code, emphasis, links, mentions.
 * Headings, emoji, mathematics, tables, previews and linkifiers stay as text.
 */
import { findChannel, type SandboxState, type StoredChannel } from "../state.ts";

const escapeText = (text: string): string =>
  text
    .replace(/&(?!(?:#\d+|#x[\da-f]+|[\da-z]+);)/gi, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', "&quot;");

/** Encodes a text as addresses of the web app do, with a dot instead of the percent sign. */
export const hashEncode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*.]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%", ".");

const safeTarget = (url: string): boolean =>
  !/^[a-z][a-z\d+.-]*:/i.test(url) || /^(?:https?|ftp|mailto|file):/i.test(url);

type Inline = readonly [
  pattern: RegExp,
  render: (state: SandboxState, groups: Record<string, string>) => string | undefined,
];

function mention(state: SandboxState, name: string, silent: boolean): string | undefined {
  const wildcard = /^(?:all|everyone|channel|stream)$/.test(name);
  const text = `${silent ? "" : "@"}${escapeText(name)}`;
  const kind = `${wildcard ? " channel-wildcard-mention" : ""}${silent ? " silent" : ""}`;
  if (wildcard) return `<span class="user-mention${kind}" data-user-id="*">${text}</span>`;
  if (name === "topic") return `<span class="topic-mention${kind}">${text}</span>`;
  const [, full = name, id] = /^(.*)\|(\d+)$/.exec(name) ?? [];
  // The case of a name does not matter. An id without a name is enough; with a name, both must fit.
  const user = [...state.users.values()].find(
    (each) =>
      (id === undefined || each.user_id === Number(id)) &&
      (full === "" || each.full_name.toLowerCase() === full.toLowerCase()),
  );
  if (!user) return undefined;
  const person = `${silent ? "" : "@"}${escapeText(user.full_name)}`;
  return `<span class="user-mention${kind}" data-user-id="${user.user_id}">${person}</span>`;
}

export const channelAddress = ({ stream_id, name }: StoredChannel): string =>
  `/#narrow/channel/${stream_id}-${hashEncode(name.replaceAll(" ", "-"))}`;

function channelLink(state: SandboxState, name: string, topic: string | undefined): string | undefined {
  const channel = findChannel(state, name);
  if (!channel) return undefined;
  const { stream_id } = channel;
  const address = channelAddress(channel);
  const text = escapeText(channel.name);
  return topic === undefined
    ? `<a class="stream" data-stream-id="${stream_id}" href="${address}">#${text}</a>`
    : `<a class="stream-topic" data-stream-id="${stream_id}" href="${address}/topic/${hashEncode(topic)}">#${text} &gt; ${escapeText(topic)}</a>`;
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const clock = "(?: (?<clock>\\d{1,2}:\\d\\d(?::\\d\\d)?))?";
const writtenDates = [
  new RegExp(`^(?<month>[a-z]{3})[a-z]*\\.? (?<day>\\d{1,2}),? (?<year>\\d{4})${clock}$`, "i"),
  new RegExp(`^(?<day>\\d{1,2}) (?<month>[a-z]{3})[a-z]*\\.? (?<year>\\d{4})${clock}$`, "i"),
];

/** Reads times of ISO 8601, Unix times, and written dates. Without a time zone they are in UTC. */
function readTime(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (/^\d{4}-\d\d-\d\d/.test(text))
    return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? text : `${text}Z`);
  for (const pattern of writtenDates) {
    const { month = "", day, year, clock = "00:00" } = pattern.exec(text)?.groups ?? {};
    if (months.includes(month.toLowerCase())) return Date.parse(`${day} ${month} ${year} ${clock} UTC`);
  }
  return Number.NaN;
}

/** Undefined for invalid times, which stay text. */
function timeElement(text: string): string | undefined {
  const ms = readTime(text);
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) return undefined;
  return `<time datetime="${new Date(ms).toISOString().replace(/\.\d+(?=Z)/, "")}">${escapeText(text)}</time>`;
}

/** From level 467 on, only uploaded pictures are shown, and other addresses become links. */
function picture({ level }: SandboxState, { name = "", url = "" }: Record<string, string>): string | undefined {
  if (level < 467) return undefined;
  const address = escapeAttribute(url);
  if (/^\/user_uploads\/.+\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif|heic)$/i.test(url))
    return `<img alt="${escapeAttribute(name)}" class="inline-image" data-original-src="${address}" src="${address}">`;
  if (!/^https?:/i.test(url)) return undefined;
  return `![${escapeText(name)}](<a href="${address}">${escapeText(url)}</a>)`;
}

/** Inline elements in the order in which they are tried. */
const inlines: readonly Inline[] = [
  [
    /(?<mark>`+)(?<code>[^`]|[^`].*?[^`])\k<mark>(?!`)/sy,
    (_, { code = "" }) => `<code>${escapeText(code.trim())}</code>`,
  ],
  [/@(?<silent>_?)\*\*(?<name>[^*]+)\*\*/y, (state, { silent, name = "" }) => mention(state, name, silent === "_")],
  [
    /@(?<silent>_?)\*(?<name>[^*]+)\*/y,
    (state, { silent, name = "" }) => {
      const group = [...state.groups.values()].find((each) => each.name === name && !each.deactivated);
      const kind = silent ? " silent" : "";
      const text = `${silent ? "" : "@"}${escapeText(name)}`;
      return group && `<span class="user-group-mention${kind}" data-user-group-id="${group.id}">${text}</span>`;
    },
  ],
  [/#\*\*(?<name>[^*>]+)(?:>(?<topic>[^*]+))?\*\*/y, (state, { name = "", topic }) => channelLink(state, name, topic)],
  [/!\[(?<name>[^[\]]*)\]\((?<url>[^()\s]+)\)/y, picture],
  [
    /\[(?<text>(?:[^[\]]|\[[^[\]]*\])*)\]\((?<url>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/y,
    (state, { text, url = "" }) =>
      safeTarget(url)
        ? `<a href="${escapeAttribute(/^(?:[a-z]+:|[/#])/i.test(url) ? url : `http://${url}`)}">${inline(state, text || url)}</a>`
        : undefined,
  ],
  [
    /(?<url>https?:\/\/[\w.:@-]+?(?:\/[^\s()"]*?(?:\([^\s()"]*\)[^\s()"]*?)*)?)(?=[!:;?),.'">]*(?:$|\s))/y,
    (_, { url = "" }) => `<a href="${escapeAttribute(url)}">${escapeText(url)}</a>`,
  ],
  [/<time:(?<time>[^>\n]+)>/y, (_, { time = "" }) => timeElement(time)],
  [/\*\*(?<text>[^\n]+?)\*\*/y, (state, { text = "" }) => `<strong>${inline(state, text)}</strong>`],
  [/\*(?![\s*])(?<text>[^*\n]*[^*\s])\*/y, (state, { text = "" }) => `<em>${inline(state, text)}</em>`],
  [/~~(?<text>[^~\n]+)~~/y, (state, { text = "" }) => `<del>${inline(state, text)}</del>`],
];

function inline(state: SandboxState, text: string): string {
  let html = "";
  let plain = 0;
  for (let at = 0; at < text.length; ) {
    let length = 0;
    for (const [pattern, render] of inlines) {
      // An address begins a word, or is in brackets.
      if (pattern.source.startsWith("(?<url>") && /[^\s'"(,:<]/.test(text.charAt(at - 1))) continue;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      const rendered = found && render(state, found.groups as Record<string, string>);
      if (!found || rendered === undefined || rendered === null) continue;
      html += escapeText(text.slice(plain, at)).replaceAll("\n", "<br>\n") + rendered;
      length = found[0].length;
      plain = at + length;
      break;
    }
    at += length || 1;
  }
  return html + escapeText(text.slice(plain)).replaceAll("\n", "<br>\n");
}

const item = /^ *(?:(?<bullet>[*+-])|\d+\.) +(?<text>.*)$/;

/** Renders a block of lines without an empty line. */
function block(state: SandboxState, lines: readonly string[]): string {
  if (lines.every((line) => line.startsWith(">")))
    return `<blockquote>\n${blocks(
      state,
      lines.map((line) => line.replace(/^> ?/, "")),
    )}\n</blockquote>`;
  if (lines.every((line) => item.test(line))) {
    const kind = lines.every((line) => /^ *\d/.test(line)) ? "ol" : "ul";
    const items = lines.map((line) => `<li>${inline(state, item.exec(line)?.groups?.text ?? "")}</li>`);
    return `<${kind}>\n${items.join("\n")}\n</${kind}>`;
  }
  return `<p>${inline(state, lines.map((line) => line.trim()).join("\n"))}</p>`;
}

/** Renders blocks of lines, and code blocks. */
function blocks(state: SandboxState, lines: readonly string[]): string {
  const html: string[] = [];
  let openLines: string[] = [];
  const closeBlock = () => {
    if (openLines.length) html.push(block(state, openLines));
    openLines = [];
  };
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n] ?? "";
    const { mark, language } = /^(?<mark>`{3,}|~{3,}) *(?<language>\S*) *$/.exec(line)?.groups ?? {};
    if (!mark) {
      if (line.trim()) openLines.push(line);
      else closeBlock();
      continue;
    }
    closeBlock();
    const end = lines.findIndex((each, at) => at > n && each.trimEnd() === mark);
    const inside = lines.slice(n + 1, end < 0 ? undefined : end);
    html.push(
      language === "quote"
        ? `<blockquote>\n${blocks(state, inside)}\n</blockquote>`
        : `<div class="codehilite"><pre><span></span><code>${escapeText(inside.join("\n"))}\n</code></pre></div>`,
    );
    n = end < 0 ? lines.length : end;
  }
  closeBlock();
  return html.join("\n");
}

export const renderMarkdown = (state: SandboxState, content: string): string =>
  blocks(state, content.trim().split(/\r?\n/));
