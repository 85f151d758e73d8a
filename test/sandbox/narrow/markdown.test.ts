import { expect, test } from "vitest";
import { createSandbox } from "../../../src/sandbox/index.ts";
import { renderMarkdown } from "../../../src/sandbox/narrow/markdown.ts";
import { Search } from "../../../src/sandbox/narrow/terms.ts";
import fc, { anyCharacter } from "../../property.ts";
import { seededRandom } from "../client.ts";

const { state } = createSandbox({ site: "https://chat.example", clock: { now: () => 0 }, random: seededRandom(1) });
const [person] = state.users.values();
const [channel] = state.channels.values();
const html = (content: string) => renderMarkdown(state, content);

test.each([
  ["a **b** *c* ~~d~~ `e < f`", "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e &lt; f</code></p>"],
  ["one\ntwo\n\nthree", "<p>one<br>\ntwo</p>\n<p>three</p>"],
  ["R&D <b> &amp; 'q' \"q\"", "<p>R&amp;D &lt;b&gt; &amp; 'q' \"q\"</p>"],
  ["[l](https://example.com)", '<p><a href="https://example.com">l</a></p>'],
  ["[l](javascript:alert)", "<p>[l](javascript:alert)</p>"],
  [
    "see https://x.example/a?b=1&c, ok",
    '<p>see <a href="https://x.example/a?b=1&amp;c">https://x.example/a?b=1&amp;c</a>, ok</p>',
  ],
  ["* a\n* **b**", "<ul>\n<li>a</li>\n<li><strong>b</strong></li>\n</ul>"],
  ["1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"],
  ["> a\n> b", "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>"],
  ["```quote\na\n```", "<blockquote>\n<p>a</p>\n</blockquote>"],
  ["```\n**a** <\n```\nb", '<div class="codehilite"><pre><span></span><code>**a** &lt;\n</code></pre></div>\n<p>b</p>'],
  ["@**nobody of that name** 2 * 3 * 4", "<p>@<strong>nobody of that name</strong> 2 * 3 * 4</p>"],
  ["@**all** hi", '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> hi</p>'],
])("%j", (content, expected) => {
  expect(html(content)).toBe(expected);
});

test("renders mentions and links to channels", () => {
  const { full_name, user_id } = person!;
  expect(html(`@**${full_name}**`)).toBe(
    `<p><span class="user-mention" data-user-id="${user_id}">@${full_name}</span></p>`,
  );
  expect(html(`@_**${full_name}|${user_id}**`)).toBe(
    `<p><span class="user-mention silent" data-user-id="${user_id}">${full_name}</span></p>`,
  );
  expect(html(`#**${channel!.name}**`)).toContain(`class="stream" data-stream-id="${channel!.stream_id}"`);
});

test("adds only marks to a message when highlighting", () => {
  const signs = "*|**|`|```|\n|> |[|](|)|@**|#**|~~|&|<|https://x.y/|a".split("|");
  const message = fc.array(fc.oneof(fc.constantFrom(...signs), fc.string({ unit: anyCharacter, maxLength: 3 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(message, (parts) => {
      const marked = new Search("a x.y").highlight(html(parts.join("")));
      expect(marked.replace(/<span class="highlight">(.*?)<\/span>/gs, "$1")).toBe(html(parts.join("")));
    }),
    { numRuns: 500 },
  );
});
