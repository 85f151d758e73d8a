import { describe, expect, test } from "vitest";
import { highlightedText } from "../../src/output/highlight.ts";

describe("the HTML of a match", () => {
  test.each([
    ["<p>one</p>\n<p>two<br>three</p>", "one two three"],
    ["<p>a &lt;b&gt; &amp;amp; &#x27;c&#39; &nbsp;d &hearts;</p>", "a <b> &amp; 'c' d ♥"],
    ["<ul>\n<li>one</li>\n<li>two</li>\n</ul>", "one two"],
    ["<p><a href=\"https://x.example/?a=1>2\" title='>'>link</a>!</p>", "link!"],
    ['<img alt=":zulip:" class="emoji" src="x"> and <img src="y">', ":zulip: and"],
    ['<span class="user-mention" data-user-id="7">@Ada</span>', "@Ada"],
    ["<!-- a > comment --><pre>  code\n\tmore </pre>", "code more"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["a <b never closed", "a <b never closed"],
    ['a <b title="never closed>', 'a <b title="never closed>'],
    ["&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"],
    ["&#0;&#x1b;&#55296;&#99999999;&bogus;", "\uFFFD\u001b\uFFFD\uFFFD&bogus;"],
  ])("%j becomes %j", (html, text) => {
    expect(String(highlightedText(html))).toBe(text);
  });

  test("has its highlights as separate parts, also within other tags", () => {
    const html =
      '<p>The <span class="highlight">tea</span>pot, <em>a <span class="user-mention">@<span class="highlight">Te</span>a</span></em></p>';
    expect(highlightedText(html).parts).toEqual([
      { text: "The ", isHit: false },
      { text: "tea", isHit: true },
      { text: "pot, a @", isHit: false },
      { text: "Te", isHit: true },
      { text: "a", isHit: false },
    ]);
  });
});
