/** Opens pages in a real browser. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((one) =>
  existsSync(one),
);

/** CI must have a browser: a test that is skipped there would never run. */
export const isSkipped = path === undefined && process.env.CI !== "true";
export const note = isSkipped ? " (NOT TESTED: needs chromium; apt-get install chromium)" : "";

export interface OpenPage {
  page: Page;
  /** Console messages, requests, dialogs and windows of the page. There may be none. */
  faults: string[];
}

/** Opens pages from the disk. */
export class PageBrowser {
  readonly #browser: Browser;
  readonly #directory = mkdtempSync(join(tmpdir(), "zulipctl-page-"));

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<PageBrowser> {
    if (path === undefined) throw new Error("there is no Chromium here: apt-get install chromium");
    return new PageBrowser(await chromium.launch({ executablePath: path }));
  }

  async end(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#directory, { recursive: true });
  }

  write(name: string, html: string): string {
    const file = join(this.#directory, `${name}.html`);
    writeFileSync(file, html);
    return pathToFileURL(file).href;
  }

  async open(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.#browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (request.url().split("#")[0] !== url) faults.push(`request: ${request.url()}`);
    });
    page.on("dialog", (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("popup", (popup) => faults.push(`window: ${popup.url()}`));
    await page.goto(url);
    // The script unpacks its data before anything else.
    if (options.javaScriptEnabled !== false) await page.waitForSelector(".tools:not([hidden])");
    return { page, faults };
  }
}
