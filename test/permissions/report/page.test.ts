import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Html, html, jsonData } from "../../../src/permissions/report/html.ts";
import { permissionsReport } from "../../../src/permissions/report/make-report.ts";
import { page } from "../../../src/permissions/report/page.ts";
import { hostile, hostileOrganization } from "./hostile.ts";
import { large } from "./large.ts";

const small = () => large({ people: 120, channels: 40, groups: 24 });

test("escapes values in markup, unless they are markup", () => {
  const name = `<b a="1" b='2'>&\`\u202Ex\u0000`;
  expect(html`<p title="${name}">${name}${html`<i>${3}</i>`}${[name, false, undefined]}</p>`).toEqual(
    new Html(
      `<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;&#96;x">&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;&#96;x<i>3</i>&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;&#96;x</p>`,
    ),
  );
});

test("embeds data that cannot end its element, and reads it back unchanged", () => {
  for (const name of hostile) {
    const { markup } = jsonData({ name });
    expect(markup).not.toMatch(/[<>]/);
    expect(JSON.parse(markup)).toEqual({ name });
  }
});

test("does not depend on the order in which the server lists things", () => {
  const first = page(permissionsReport(small()));
  expect(page(permissionsReport(small()))).toBe(first);
  const reversed = small();
  reversed.organization.realm_users.reverse();
  reversed.organization.never_subscribed.reverse();
  // A message with the whole page would hide the difference.
  const lines = first.split("\n");
  expect(
    page(permissionsReport(reversed))
      .split("\n")
      .filter((line, at) => line !== lines[at]),
  ).toEqual([]);
});

test("has unique ids and no broken links", () => {
  for (const snapshot of [small(), hostileOrganization()]) {
    const markup = page(permissionsReport(snapshot));
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
    const links = [...markup.matchAll(/\shref="([^"]*)"/g)].map(([, to]) => to!);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((to) => !to.startsWith("#") || !ids.includes(to.slice(1)))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  }
});

test("has a policy that allows only its own script and style", () => {
  const markup = page(permissionsReport(small()));
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const scripts = [...markup.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => hash(text!));
  const styles = [...markup.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => hash(text!));
  expect(markup.match(/<script/g)).toHaveLength(2);
  expect(markup).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${scripts.join(" ")}; style-src ${styles.join(" ")}; base-uri 'none'; form-action 'none'">`,
  );
  expect(markup).not.toMatch(/\s(style|on\w+)=/);
});

test("500 channels, 300 groups and 5,000 people fit in 3 MB", () => {
  const report = permissionsReport(large({ people: 5000, channels: 500, groups: 300 }));
  expect(report.channelColumns.length).toBeGreaterThanOrEqual(12);
  expect(Buffer.byteLength(page(report))).toBeLessThan(3_000_000);
});
