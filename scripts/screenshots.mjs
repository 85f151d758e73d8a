// Takes the pictures of docs/permissions.md: of the sandbox's organization, and of a large one. Needs Chromium.
import "./node-version.cjs";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { importBundled, withDirectory } from "./bundled.mjs";

const pictures = "docs/pictures";
async function writePages(directory) {
  const zulipctl = [process.execPath, "bin/zulipctl.js"];
  const report = ["permissions", "report", "--to", join(directory, "sandbox.html")];
  execFileSync(zulipctl[0], [zulipctl[1], "sandbox", "exec", "--", ...zulipctl, ...report], { stdio: "inherit" });
  const made = await importBundled("scripts/screenshots/large.ts", directory);
  await writeFile(join(directory, "large.html"), made.html());
}

/** Opens a page, does something with it, and takes a picture. */
async function picture(browser, name, { url, height, dark = false, does }) {
  const context = await browser.newContext({
    viewport: { width: 1200, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(url);
  await does(page);
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled", caret: "hide" });
  await context.close();
}

const top = (id) => (page) =>
  page.evaluate((one) => {
    const { top } = document.getElementById(one).getBoundingClientRect();
    scrollTo(0, scrollY + top - 34);
  }, id);

await withDirectory(async (directory) => {
  await writePages(directory);
  const [sandbox, large] = ["sandbox", "large"].map((name) => pathToFileURL(join(directory, `${name}.html`)).href);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
  await picture(browser, "permissions-findings", { url: large, height: 880, does: async () => {} });
  await picture(browser, "permissions-person", {
    url: large,
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
    url: large,
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
    url: sandbox,
    height: 640,
    does: async (page) => {
      await top("channels")(page);
      await page.locator("#channel-table tr:has(b:text-is('council')) td.c").nth(3).hover();
    },
  });
  await browser.close();
});
