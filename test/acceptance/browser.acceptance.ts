import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { killProcess } from "../support/processes/site-process.js";
import { useChromium } from "../support/services.js";
import { home, runSite, serveSite } from "./home.js";

const STEP_MS = 30_000;

describe("a new site of the installed package in a browser", function () {
  this.timeout(120_000);
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveSite>>;
  let url: string;
  let root: string;
  let context: BrowserContext;
  let page: Page;
  /** What the browser complains about: errors and warnings of the console, failed requests, responses with an error. */
  let complaints: string[];
  before(async function () {
    browser = await useChromium(this);
    root = join(home, "journey");
    const made = await runSite("new", root);
    assert.equal(made.code, 0, made.text);
    server = await serveSite(root);
    url = `http://localhost:${new URL(server.url).port}`;
  });
  beforeEach(async () => {
    context = await browser.newContext({
      baseURL: url,
      locale: "en-GB",
      viewport: { width: 1280, height: 900 },
    });
    context.setDefaultTimeout(STEP_MS);
    page = await context.newPage();
    complaints = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("requestfailed", (request) => {
      // Leaving a page ends its stream of events.
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") complaints.push(`${reason}: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
  });
  afterEach(() => context.close());
  after(() => killProcess(server));

  it("shows its pages without an error", async () => {
    for (const path of ["/", "/blog", "/blog/hello-world", "/about"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    }
    assert.deepEqual(complaints, []);
  });

  it("sends files of the panel as they were compressed when the package was built", async () => {
    const folder = join(home, "node_modules/sitewright/dist/plugins/panel/client");
    const names = (await readdir(folder)).filter((name) => name.endsWith(".br"));
    const name = names.find((one) => one.startsWith("text-")) ?? "";
    const path = `${url}/admin/assets/panel/${name.slice(0, -".br".length)}`;
    const response = await fetch(path, { headers: { "accept-encoding": "br" } });
    assert.equal(response.headers.get("content-encoding"), "br");
    const stored = await readFile(join(folder, name));
    assert.equal(Number(response.headers.get("content-length")), stored.length);
    assert.equal(await response.text(), brotliDecompressSync(stored).toString());
  });

  it("is edited and published in the panel after the first sign-in", async () => {
    const file = join(root, ".dune/admin/initial-admin-password");
    await page.goto("/admin");
    await page.getByLabel("Username or e-mail address").fill("admin");
    const password = (await readFile(file, "utf8")).trim();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("region", { name: "First steps" }).waitFor();

    await page.goto("/admin/edit/03.about/default.md");
    await page.getByRole("textbox", { name: "Text of the page" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\nWe sail on **Mondays**.");
    await page.getByText("Unpublished changes, saved").waitFor();
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("Published.", { exact: true }).first().waitFor();

    assert.deepEqual(complaints, []);
    await page.goto("/about");
    await page.locator("strong", { hasText: "Mondays" }).waitFor();
    assert.match(await readFile(join(root, "content/03.about/default.md"), "utf8"), /\*\*Mondays/);
    assert.deepEqual(complaints, []);
  });
});
