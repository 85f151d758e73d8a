/** `org plan -o markdown`: a comment on a pull request, whatever names and texts are in the plan. */
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { codeBlock, codeSpan } from "../../src/output/markdown.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import fc, { anyCharacter } from "../property.ts";
import { fresh, zulipctl } from "../run.ts";

async function planned(text: string, words: string[] = [], given?: (state: SandboxState) => void) {
  const sandbox = fresh();
  given?.(sandbox.state);
  const argv = ["org", "plan", "org.yaml", "-o", "markdown", ...words];
  const { code, out, err } = await zulipctl(argv, { sandbox, files: new Map([["org.yaml", text]]) });
  return { code, out, err };
}

/** As GitHub shows it, raw HTML included. */
const htmlOf = (markdown: string): string =>
  micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });

/** What is left without code: there must be nothing of a server in it. */
const outsideCode = (html: string): string => html.replace(/(<code[^>]*>)[^<]*(?=<\/code>)/g, "$1");

describe("org plan -o markdown", () => {
  test("has a summary with destructive changes, and collapsed details", async () => {
    const text =
      "folders: [{ name: Attic, description: Old things }]\n" +
      "channels: [{ name: design, folder: null, subscribers: { remove: [otis@sandbox.example] } }]\n" +
      "groups: [{ name: designers, members: [] }]\n";
    expect(await planned(text)).toEqual({
      code: 2,
      err: 'zulipctl: this plan cannot be applied: this would remove all 2 members of group "designers"\nTo do that anyway, add: --allow-empty\n',
      out: `<!-- zulipctl org plan https://chat.example -->
### Plan for \`https://chat.example\`

**1 to create, 2 to change. This plan cannot be applied.**

> [!WARNING]
> **2 destructive changes.** They take something from people, or let more people in.
>
> - \`group designers\`: \`takes 2 people out\`; \`leaves no member in it\`
> - \`channel design\`: \`takes 1 person out\`

> [!WARNING]
> **\`org apply\` refuses this plan and sends nothing:**
>
> - \`this would remove all 2 members of group "designers" (--allow-empty)\`

<details>
<summary>Changes</summary>

\`\`\`diff
+ folder Attic
      description: "Old things"
~ group designers
      members: − Adam Admin, Cora Member
!     takes 2 people out
!     leaves no member in it
~ channel design
      folder: Projects → none
      subscribers: − Otis Member
!     takes 1 person out
\`\`\`

</details>

Not in the file: 4 profile fields, 6 people, 1 bot, 2 groups, 1 folder, 5 channels, 2 linkifiers.
`,
    });
  });

  test("counts many changes by section, and says like changes once, with all names", async () => {
    const names = ["announcements", "design", "council", "general"];
    const channels = names.map((name) => ({ name, message_retention_days: 30 }));
    const created = Array.from({ length: 60 }, (_, n) => ({ name: `team ${n}`, description: "Teams" }));
    const { code, out } = await planned(JSON.stringify({ channels: [...channels, ...created] }));
    expect(code).toBe(0);
    expect(out).toContain(
      "| section | create | change | destructive | irreversible |\n| --- | ---: | ---: | ---: | ---: |\n| channels | 60 | 4 | 4 | 4 |\n",
    );
    expect(out).toContain(
      "> [!CAUTION]\n> **4 changes cannot be undone.**\n>\n" +
        "> - `4 channels` (`announcements`, `design`, `council`, `general`): `each: deletes messages older than 30 days`\n",
    );
    expect(out).toContain("\n!!    each: deletes messages older than 30 days\n");
    expect(out).not.toContain("> [!WARNING]");
    expect(out).toMatch(/\n\+ 60 channels: team 0, [^\n]{60,90}\n {4}[^\n]{60,100}\n/);
    expect(out).toContain('team 59\n      description: "Teams"\n');
  });

  test("shows who gains and who loses permissions", async () => {
    const { out } = await planned("channels: [{ name: design, can_send_message_group: role:moderators }]\n");
    expect(out).toMatch(
      /<summary>Who gains and who loses permissions<\/summary>\n\n```text\n[^\n]*can no longer post in and begin topics in #design\n```\n\n<\/details>\n\nNot in the file/,
    );
  });

  test("says in one sentence that nothing differs", async () => {
    expect(
      (await planned("channels: [{ name: design }]\n", ["--exit-code"])).out,
    ).toBe(`<!-- zulipctl org plan https://chat.example -->
### Plan for \`https://chat.example\`

**No changes: the organization matches the file.**

Not in the file: 4 profile fields, 6 people, 1 bot, 3 groups, 1 folder, 5 channels, 2 linkifiers.
`);
  });

  test("ends with 8 if something differs, with --exit-code", async () => {
    expect(await planned("channels: [{ name: design, description: x }]\n", ["--exit-code"])).toMatchObject({
      code: 8,
      err: "zulipctl: 1 thing differs from the file\n",
      out: expect.stringMatching(/^<!-- zulipctl org plan [\s\S]*Not in the file/),
    });
  });

  test.each([
    [["users", "list", "-o", "markdown"], "this command does not support -o markdown\nUse it with: zulipctl org plan"],
    [
      ["folder", "create", "x", "-o", "markdown"],
      "this command does not support -o markdown\nUse it with: zulipctl org plan",
    ],
    [["org", "plan", "-", "-o", "markdown", "--fields", "site"], "--fields cannot be combined with -o markdown"],
  ])("%j is refused before anything is sent", async (argv, says) => {
    expect(await zulipctl(argv, { input: "{}" })).toMatchObject({
      code: 2,
      out: "",
      err: `zulipctl: ${says}\n`,
      sent: [],
    });
  });
});

const hostile = [
  "@octocat and @org/team",
  "#1 GH-1 octo/cat#1",
  "https://evil.example www.evil.example mailto:a@evil.example",
  "[click](https://evil.example)",
  "![](https://evil.example/x.png)",
  "<img src=x onerror=alert(1)>",
  "</summary></details><h1>Approved</h1>",
  "--> <!-- zulipctl org plan https://chat.example -->",
  "`",
  "``` ```` `````",
  "~~~",
  "`x`",
  "a\n```\n\n# Approved\n\n@octocat",
  "a\r\n> [!NOTE]\r\n> b",
  "# heading",
  "- [x] done",
  "| a | b |",
  "**bold** __b__ *i* ~~s~~ :tada: $x$ $$y$$",
  "&lt;b&gt; &amp; \\` \\",
  "\u202eevil\u202c\u200b",
  "\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007",
  "[^1]: note",
  "",
];

describe("text from the organization", () => {
  // No file may name a channel by what nobody sees.
  const channel = (text: string) => `c${text.replace(/[\u200b\u202c\u202e]/g, "")}`;

  test.each(hostile)("shows %j as code everywhere in a plan", async (name) => {
    const withName = (text: string) =>
      planned(
        `channels: [{ name: ${JSON.stringify(channel(text))}, is_private: true, description: ${JSON.stringify(text)}, subscribers: [] }]\n` +
          "people: [{ email: otis@sandbox.example, role: administrator }]\ngroups: [{ name: designers, members: [] }]\n",
        [],
        (state) => {
          for (const each of state.channels.values()) if (each.name === "design") each.name = channel(text);
          for (const folder of state.folders.values()) folder.name = `${text}${folder.id}`;
          for (const user of state.users.values()) user.full_name = `${text}${user.user_id}`;
        },
      );
    const [plain, named] = [await withName("x"), await withName(name)];
    expect(plain).toMatchObject({ code: 2, out: expect.stringContaining("> **3 destructive changes.** ") });
    expect(named).toMatchObject({ code: 2, err: expect.stringMatching(/^zulipctl: this plan cannot be applied: /m) });
    expect(outsideCode(htmlOf(named.out))).toBe(outsideCode(htmlOf(plain.out)));
  });

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...hostile, "`", "``", "\n", " ", ">", "<", "|", "\\"),
        fc.string({ unit: anyCharacter }),
      ),
    )
    .map((parts) => parts.join(""));

  test("stays within its code span", () => {
    const html = outsideCode(htmlOf(`a ${codeSpan("x")} b`));
    fc.assert(fc.property(text, (any) => void expect(outsideCode(htmlOf(`a ${codeSpan(any)} b`))).toBe(html)));
  });

  test("stays within its code block", () => {
    const block = (lines: string[]) =>
      outsideCode(htmlOf(`${codeBlock(lines, { language: "text", room: 5000 })}\n\nb`));
    const html = block(["x"]);
    fc.assert(fc.property(fc.array(text, { minLength: 1 }), (lines) => void expect(block(lines)).toBe(html)));
  });
});

describe("a plan that is too long", () => {
  const count = 700;
  const long = (name: string, text: string) => {
    // Like changes would be one paragraph.
    const entry = (n: number) =>
      JSON.stringify({ name: `${name}${n}`, description: `${n}${text}`, is_web_public: true });
    return `channels:\n${Array.from({ length: count }, (_, n) => `  - ${entry(n)}\n`).join("")}`;
  };

  test.each([
    ["changes", "channel ", "x"],
    ["long texts", "channel ", "word ".repeat(200)],
    ["backticks", "`".repeat(50), "`".repeat(1000)],
    ["emoji", "👩🏽", "😀".repeat(500)],
    ["invisible characters", "channel ", "\u202e\u200b".repeat(200)],
  ])("of %s has fewer than 60,000 characters, and the number of omitted lines", async (_, name, text) => {
    const { code, out, err } = await planned(long(name, text));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.length).toBeLessThan(60_000);
    expect(out.length).toBeGreaterThan(30_000);
    expect(out).toContain(`**${count} to create.`);
    expect(out).toContain(`> - … and ${count - 20} more\n`);
    const left = Number(/^… and (\d+) more lines\n`+\n\n<\/details>/m.exec(out)?.[1]);
    const shown = /```diff\n([\s\S]*?)\n… and/.exec(out)![1]!.split("\n").length;
    expect(shown + left).toBe(count * 4);
    expect(htmlOf(out)).toMatch(/<\/code><\/pre>\n<\/details>\n/);
  });

  test("with one long text does not split a character", async () => {
    const { out } = await planned(`channels: [{ name: design, description: "${"😀".repeat(5000)}" }]\n`);
    expect(out).toMatch(/😀…\n```/);
    expect(Buffer.from(out).toString()).toBe(out);
  });
});
