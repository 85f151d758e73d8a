// CHANGELOG.md in the form of Debian's changelogs.

/** Debian sorts `1.0.0~rc.1` before `1.0.0`, and `1.0.0-rc.1` after it. */
export const debianVersion = (version) => version.replace("-", "~");

/** A date as Debian writes it: `Thu, 15 Jan 2026 12:00:00 +0000`. */
const dateOf = (seconds) => new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");

/** Breaks text into lines. */
function wrap(text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    if (lines[last] === "") lines[last] = word;
    else if (lines[last].length + 1 + word.length <= width) lines[last] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Returns the items of lists, without the marks of Markdown. */
const itemsOf = (section) =>
  [...section.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, item]) =>
    item.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll("`", ""),
  );

/** `time`: the date of versions that are not released yet, in seconds. */
export function debianChangelog(text, maintainer, time) {
  const sections = text.split(/^## /m).slice(1);
  return sections
    .map((section) => {
      const [, version, date] = /^(\S+), (.*)\n/.exec(section);
      const released = Date.parse(`${date} 12:00 UTC`);
      const items = itemsOf(section).map((item) => `  * ${wrap(item, 74).join("\n    ")}\n`);
      const distribution = Number.isNaN(released) ? "UNRELEASED" : "stable";
      return [
        `zulipctl (${debianVersion(version)}) ${distribution}; urgency=medium\n\n`,
        ...items,
        `\n -- ${maintainer}  ${dateOf(Number.isNaN(released) ? time : released / 1000)}\n`,
      ].join("");
    })
    .join("\n");
}
