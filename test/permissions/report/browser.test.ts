/** Uses the page in a browser: with the mouse, the keyboard, dark colors, on paper, without its script. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { channelsOf } from "../../../src/organization/snapshot.ts";
import { evaluate } from "../../../src/permissions/evaluation.ts";
import { permissionsReport } from "../../../src/permissions/report/make-report.ts";
import { page as pageOf } from "../../../src/permissions/report/page.ts";
import { isSkipped, note, type OpenPage, PageBrowser } from "./browser.ts";
import { hostile, hostileOrganization } from "./hostile.ts";
import { large } from "./large.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

const snapshot = large({ people: 120, channels: 40, groups: 24 });

describe.skipIf(isSkipped)(`the page in Chromium${note}`, () => {
  let browser: PageBrowser;
  let pageUrl: string;
  let openPages: OpenPage[] = [];

  beforeAll(async () => {
    browser = await PageBrowser.start();
    pageUrl = browser.write("usual", pageOf(permissionsReport(snapshot)));
  });
  afterAll(() => browser?.end());
  afterEach(async () => {
    for (const { page, faults } of openPages) {
      expect(faults).toEqual([]);
      await page.context().close();
    }
    openPages = [];
  });

  async function open(url = pageUrl, options: Parameters<PageBrowser["open"]>[1] = {}): Promise<Page> {
    const openPage = await browser.open(url, options);
    openPages.push(openPage);
    return openPage.page;
  }

  const cell = (page: Page, row: string, column: number) => page.locator(`#${row} td.c`).nth(column);
  const visibleRows = (page: Page, table: string) =>
    page.locator(`#${table} tbody tr:not(.folder):visible th b`).allTextContents();
  const markedCells = (page: Page, table: string) =>
    page
      .locator(`#${table} td.yes`)
      .evaluateAll((cells) =>
        cells.map((one) => `${one.closest("tr")!.id} ${(one as HTMLTableCellElement).cellIndex}`),
      );

  test("shows who is behind a cell, on hover and on click", async () => {
    const evaluation = evaluate(snapshot);
    const channel = channelsOf(snapshot).find(({ name }) => name === "research-incidents")!;
    const who = evaluation
      .holders(evaluation.cell("channel", channel.stream_id, "post"))
      .map(({ full_name }) => full_name);
    const page = await open();
    const post = cell(page, `c${channel.stream_id}`, 3);
    await post.hover();
    const tip = page.locator("#tip");
    expect(await tip.locator("p").allTextContents()).toEqual([
      "research-incidents › Post",
      `Subscribers, others: ${who.length} people`,
      "The setting says: Everyone",
      expect.stringMatching(/^([\w ]+, ){11}[\w ]+ and 2 more$/),
      "Press Enter or click for everybody.",
    ]);
    await page.mouse.move(0, 0);
    expect(await tip.isVisible()).toBe(false);
    await post.click();
    expect(await page.locator("#who-head").textContent()).toBe("research-incidents › Post");
    expect((await page.locator("#who-list li").allTextContents()).toSorted()).toEqual(who.toSorted());
    await page.keyboard.press("Escape");
    expect(await page.locator("#who").isVisible()).toBe(false);
  });

  test("filters rows by all words, and hides empty folders", async () => {
    const page = await open();
    await page.fill("#channel-filter", "REVIEWS private");
    const names = await visibleRows(page, "channel-table");
    const texts = await page.locator("#channel-table tbody tr:not(.folder)").allTextContents();
    const wanted = texts.filter((text) => /reviews/.test(text) && /private/.test(text));
    expect(await page.locator("#channel-table tbody tr:not(.folder):visible").allTextContents()).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(1);
    expect(await page.locator("#channels .shown").textContent()).toBe(`${names.length} of 40`);
    const folders = await page.locator("#channel-table tr.folder:visible").count();
    expect(folders).toBeLessThan(await page.locator("#channel-table tr.folder").count());
    await page.fill("#channel-filter", "");
    expect(await visibleRows(page, "channel-table")).toHaveLength(40);
  });

  test("sorts channels in both directions, and brings the folders back", async () => {
    const page = await open();
    const before = await visibleRows(page, "channel-table");
    const posting = async () =>
      (await page.locator("#channel-table tbody tr:not(.folder) td:nth-child(5) b").allTextContents()).map((text) =>
        Number(text.replaceAll(",", "")),
      );
    const head = page.locator("#channel-table th[data-sort=post]");
    await head.locator("span").click();
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    const down = await posting();
    expect(down).toEqual(down.toSorted((a, b) => b - a));
    expect(await page.locator("#channel-table tr.folder").count()).toBe(0);
    await head.locator("span").click();
    expect(await posting()).toEqual(down.toSorted((a, b) => a - b));
    await page.click("#channel-table th[data-sort=name] span");
    expect(await visibleRows(page, "channel-table")).toEqual(before.toSorted());
    await page.click("#by-folder");
    expect(await visibleRows(page, "channel-table")).toEqual(before);
  });

  test("marks what a person may, and nothing else", async () => {
    const evaluation = evaluate(snapshot);
    const person = snapshot.organization.realm_users.find(({ full_name }) => full_name === "Gita Almeida")!;
    const page = await open();
    await page.fill("#person", "gita alm");
    await page.click("#choices li");
    const columns = await page
      .locator("#channel-table thead th")
      .evaluateAll((heads) => heads.map((one) => (one as HTMLElement).dataset.sort!));
    const expected = channelsOf(snapshot).flatMap(({ stream_id }) =>
      columns.flatMap((permission, column) =>
        column > 0 && evaluation.isAllowed(person.user_id, evaluation.cell("channel", stream_id, permission))
          ? [`c${stream_id} ${column}`]
          : [],
      ),
    );
    expect((await markedCells(page, "channel-table")).toSorted()).toEqual(expected.toSorted());
    const organization = [...evaluation.cells()].filter(
      (one) => one.scope === "organization" && evaluation.isAllowed(person.user_id, one),
    );
    expect((await markedCells(page, "organization-table")).toSorted()).toEqual(
      organization.map(({ permission }) => `o-${permission} 1`).toSorted(),
    );
    expect(await page.locator("#said").textContent()).toMatch(/^Gita Almeida may do what is marked ✓: \d+ of \d+\.$/);
    await page.click("#nobody");
    expect(await page.locator("td.yes").count()).toBe(0);
  });

  test("links every group of the picture to its row, and marks the settings that name it", async () => {
    const page = await open();
    expect(await page.locator("#picture a").count()).toBe(24 + 8);
    const contains = snapshot.organization.realm_user_groups.flatMap(({ id, direct_subgroup_ids }) =>
      (direct_subgroup_ids ?? []).map((inner) => `${id} ${inner}`),
    );
    const lines = await page
      .locator("#picture .line")
      .evaluateAll((all) => all.map((one) => `${(one as SVGElement).dataset.from} ${(one as SVGElement).dataset.to}`));
    expect(lines.toSorted()).toEqual(contains.toSorted());
    const boxes = await page.locator("#picture a > rect:first-of-type").evaluateAll((all) =>
      all.map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
    const apart = boxes.every((one, at) =>
      boxes.every(
        (other, n) =>
          n === at ||
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top,
      ),
    );
    expect(apart).toBe(true);
    const people = snapshot.organization.realm_user_groups.find(({ name }) => name === "people")!;
    await page.click(`#picture a[href="#g${people.id}"]`);
    await page.waitForURL(`**/*#g${people.id}`);
    expect(await page.locator(`#g${people.id}`).isVisible()).toBe(true);
    const naming = channelsOf(snapshot).filter(({ can_administer_channel_group: by }) => by === people.id);
    expect(naming.length).toBeGreaterThan(0);
    const marked = await markedCells(page, "channel-table");
    for (const { stream_id } of naming) expect(marked.some((one) => one.startsWith(`c${stream_id} `))).toBe(true);
  });

  test("links a finding to its row, even if a filter hides it", async () => {
    const page = await open();
    await page.fill("#channel-filter", "nothing has this name");
    const link = page.locator(".findings.warnings a[href^='#c']").first();
    const name = await link.textContent();
    await link.click();
    const row = page.locator("tr:target");
    await expect.poll(() => row.isVisible()).toBe(true);
    expect(await row.locator("b").first().textContent()).toBe(name?.slice(1));
    expect(await row.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThan(0);
  });

  test("works with the keyboard alone", async () => {
    const page = await open();
    const focus = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.closest("tr")?.id);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#findings$/);

    await page.focus("#person");
    await page.keyboard.type("gita");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await page.locator("#person").getAttribute("aria-activedescendant")).toBe("choice-0");
    await page.keyboard.press("Enter");
    expect(await page.locator("#choices").isVisible()).toBe(false);
    expect(await page.locator("td.yes").count()).toBeGreaterThan(10);
    await page.keyboard.press("Escape");
    expect(await page.locator("td.yes").count()).toBe(0);

    // Tab leads from the filter through the heads into the matrix.
    await page.focus("#channel-filter");
    await page.keyboard.type("engineering");
    for (let n = 0; n < 40 && !(await focus())?.startsWith("c5"); n++) await page.keyboard.press("Tab");
    const [first, second] = await page
      .locator("#channel-table tbody tr:not(.folder):visible")
      .evaluateAll((rows) => rows.map(({ id }) => id));
    expect(await focus()).toBe(first);
    expect(await page.locator("#tip").isVisible()).toBe(true);
    expect(await page.locator(":focus").getAttribute("aria-describedby")).toBe("tip");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    expect(await focus()).toBe(second);
    await page.keyboard.press("Enter");
    expect(await page.locator("#who").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await focus()).toBe(second);

    await page.focus("#channel-table th[data-sort=post] span");
    await page.keyboard.press("Space");
    expect(await page.locator("#channel-table th[data-sort=post]").getAttribute("aria-sort")).toBe("descending");

    // One group of the picture can be reached with Tab.
    expect(await page.locator("#picture a[tabindex='0']").count()).toBe(1);
    await page.locator("#picture a[tabindex='0']").focus();
    const before = await page.evaluate(() => document.activeElement?.getAttribute("href"));
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).not.toBe(before);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#g\d+$/);
  });

  test("shows the same without its script, and no controls", async () => {
    const withScript = await open();
    const page = await open(pageUrl, { javaScriptEnabled: false });
    const rows = (one: Page) => one.locator("tbody tr").count();
    expect(await rows(page)).toBe(await rows(withScript));
    const row = page.locator("#c500");
    await row.scrollIntoViewIfNeeded();
    expect(await row.innerText()).toBe(await withScript.locator("#c500").innerText());
    expect(await row.innerText()).toMatch(/^engineering-planning\npublic · \d+\nMembers\n116\n/);
    expect(await page.locator("input:visible, button:visible, [role=button]:visible").count()).toBe(0);
    await page.locator("#picture a").first().click();
    await page.waitForURL(/#g\d+$/);
  });

  test("prints everything on white, without controls", async () => {
    const page = await open(pageUrl, { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("input:visible, button:visible, summary:visible").count()).toBe(0);
    const { ground, cut } = await page.evaluate(() => ({
      ground: getComputedStyle(document.body).backgroundColor,
      cut: [...document.querySelectorAll(".scroll")].filter((one) => one.scrollHeight > one.clientHeight + 1).length,
    }));
    expect({ ground, cut }).toEqual({ ground: "rgb(255, 255, 255)", cut: 0 });
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("fits a narrow screen, except for tables and picture", async () => {
    const page = await open(pageUrl, { viewport: { width: 400, height: 800 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  });

  test("shows hostile names as text: nothing runs, is requested or is hidden", async () => {
    const page = await open(browser.write("hostile", pageOf(permissionsReport(hostileOrganization()))));
    await page.fill("#person", "alert");
    expect(await page.locator("#choices li").count()).toBeGreaterThan(1);
    await page.keyboard.press("Enter");
    for (const table of ["organization-table", "channel-table", "group-table"]) {
      const cells = page.locator(`#${table} td.c`);
      for (let n = 0; n < 3; n++) await cells.nth(n * 7).hover();
      await cells.first().click();
      await page.keyboard.press("Escape");
    }
    await page.locator("thead th span").evaluateAll((heads) => {
      for (const head of heads) (head as HTMLElement).click();
    });
    const names = await page.locator("tbody b").allTextContents();
    for (const name of hostile.slice(0, 8)) expect(names).toContainEqual(expect.stringContaining(name));
    expect(await page.locator("script, style, link, base, img, iframe, object, embed").count()).toBe(3);
    expect(await page.locator("body > *").count()).toBe(9);
  });

  test("refuses injected scripts and styles by its policy", async () => {
    const page = await open();
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      document.body.append(script);
      document.body.insertAdjacentHTML(
        "beforeend",
        `<img src="https://example.com/leak.png" onerror="document.title = 'ran'"><p id="styled" style="display: none">x</p>`,
      );
      await new Promise((done) => setTimeout(done, 50));
      return { title: document.title, styled: getComputedStyle(document.getElementById("styled")!).display };
    });
    expect(ran).toEqual({ title: "Who may do what: Meridian Institute", styled: "block" });
    const { faults } = openPages[0]!;
    const refused = faults.filter((fault) => fault.includes("Content Security Policy"));
    expect(refused).toHaveLength(4);
    // The browser reports the request and does not send it.
    expect(faults.filter((fault) => !refused.includes(fault))).toEqual(["request: https://example.com/leak.png"]);
    faults.length = 0;
  });

  // The dark page differs in its colors only.
  test.each([
    ["light", {}],
    ["dark", { runOnly: ["color-contrast"] }],
  ] as const)("axe finds no violation in the %s page", async (colorScheme, options) => {
    const page = await open(pageUrl, { colorScheme, bypassCSP: true });
    await page.fill("#person", "gita");
    await page.keyboard.press("Enter");
    await page.evaluate(axe);
    const violations = await page.evaluate(async (options) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      };
      return (await axe.run(options)).violations.map(({ id, nodes }) => [
        id,
        nodes.length,
        nodes[0]!.html,
        nodes[0]!.failureSummary,
      ]);
    }, options);
    expect(violations).toEqual([]);
  });
});
