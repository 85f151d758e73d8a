// Takes the pictures of docs/permissions.md: of the organization that the sandbox starts with, and of a large one.
// Needs Chromium, as test/permissions/report/browser.test.ts does.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { importBundled } from "./bundled.mjs";

const pictures = "docs/pictures";
const directory = await mkdtemp(join(tmpdir(), "screenshots-"));
const url = (name) => pathToFileURL(join(directory, `${name}.html`)).href;

async function pages() {
  const zulipctl = [process.execPath, "bin/zulipctl.js"];
  const report = ["permissions", "report", "--to", join(directory, "sandbox.html")];
  execFileSync(zulipctl[0], [zulipctl[1], "sandbox", "exec", "--", ...zulipctl, ...report], { stdio: "inherit" });
  const made = await importBundled("scripts/screenshots/large.ts", directory);
  await writeFile(join(directory, "large.html"), made.html());
}

/** Opens a page, does something with it, and keeps what is to be seen then. */
async function picture(browser, name, { of, height, dark = false, does }) {
  const context = await browser.newContext({
    viewport: { width: 1200, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(url(of));
  await does(page);
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled", caret: "hide" });
  await context.close();
}

const top = (id) => (page) =>
  page.evaluate((one) => {
    const { top } = document.getElementById(one).getBoundingClientRect();
    scrollTo(0, scrollY + top - 34);
  }, id);

try {
  await pages();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
  await picture(browser, "permissions-findings", { of: "large", height: 880, does: async () => {} });
  await picture(browser, "permissions-person", {
    of: "large",
    height: 640,
    does: async (page) => {
      await page.fill("#person", "gita haddad");
      await page.keyboard.press("Enter");
      await top("channels")(page);
      await page.evaluate(() => document.querySelector("#channels .scroll").scrollBy(0, 330));
      await page.locator("#person").blur();
    },
  });
  await picture(browser, "permissions-groups", {
    of: "large",
    height: 620,
    dark: true,
    does: async (page) => {
      await top("groups")(page);
      const group = page.locator("#picture a.group").nth(150);
      await group.evaluate((one) => one.scrollIntoView({ block: "center", inline: "center" }));
      await top("groups")(page);
      await group.hover();
    },
  });
  await picture(browser, "permissions-sandbox", {
    of: "sandbox",
    height: 640,
    does: async (page) => {
      await top("channels")(page);
      await page.locator("#channel-table tr:has(b:text-is('council')) td.c").nth(3).hover();
    },
  });
  await browser.close();
} finally {
  await rm(directory, { recursive: true, force: true });
}
