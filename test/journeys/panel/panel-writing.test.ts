import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { AdminClient, AdminSite } from "../../support/sites/admin-site.js";
import { bootPanel, checkAccessible, takePicture } from "../../support/browsers/panel-browser.js";
import { Hands, openHands, RUNS, slugOf, type Run } from "../../support/browsers/panel-hands.js";
import { picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";

const DAY_MS = 86_400_000;

describe("writing in the panel", () => {
  let browser: Browser;
  let site: AdminSite;
  let admin: AdminClient;
  let buffer: Buffer;
  let shift = -DAY_MS;
  let closing: (() => Promise<void>)[] = [];
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel({
      clock: { now: () => Date.now() + shift },
      settings: { system: { languages: { supported: ["en", "de"], default: "en" } } },
    });
    admin = await site.as("admin", { username: "seed" });
    buffer = await picture(64, 48);
    for (const run of RUNS) {
      for (const job of ["typo", "restore", "conflict", "schedule", "translate"])
        await seed(job, run);
      const content = "---\ntitle: restore\n---\nToday's words.\n";
      await put(pathOf("restore", run), content);
    }
    shift = 0;
    admin = await site.as("admin", { username: "seed-today" });
    for (const run of RUNS) {
      await put(pathOf("restore", run), "---\ntitle: restore\n---\nWrong words.\n");
    }
  });
  after(() => site.close());
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  const pathOf = (job: string, run: Run): string => `02.blog/${slugOf(job, run)}/post.md`;
  const put = (path: string, content: string) =>
    admin.json(200, "PUT", `/admin/api/pages/${path}`, { content });
  async function seed(job: string, run: Run): Promise<void> {
    const status = job === "schedule" ? "status: draft\n" : "";
    const content = `---\ntitle: ${slugOf(job, run)}\n${status}---\nThe harbuor at dawn.\n`;
    await admin.json(201, "POST", "/admin/api/pages", { path: pathOf(job, run), content });
  }
  const fileOf = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const textOf = (page: Page) => page.getByRole("textbox", { name: "Text of the page" });
  const languageOf = (page: Page, name: string) =>
    page.locator("summary", { hasText: `Language: ${name}` });
  async function open(run: Run, path = ""): Promise<{ hands: Hands; page: Page }> {
    const opened = await openHands(browser, site, { run, path });
    closing.push(opened.close);
    return opened;
  }
  /** Opens a page from the list. */
  async function openPage(hands: Hands, title: string): Promise<void> {
    const { page } = hands;
    await hands.go("Pages");
    await hands.fill(page.getByLabel("Search title or address"), title);
    await page.getByText("One page", { exact: true }).waitFor();
    await hands.press(page.getByRole("link", { name: title }));
    await page.locator(".cm-content").waitFor();
  }
  async function publish(hands: Hands): Promise<void> {
    await hands.press(hands.page.getByRole("button", { name: /^Publish/ }));
    await hands.page.getByText("Published.", { exact: true }).waitFor();
  }

  for (const run of RUNS) {
    describe(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, () => {
      it("writes and publishes an illustrated post after the first sign-in", async () => {
        const context: BrowserContext = await browser.newContext({
          baseURL: site.url,
          locale: "en-GB",
          bypassCSP: true,
          viewport: { width: run.width, height: 900 },
          colorScheme: run.colorScheme,
        });
        closing.push(() => context.close());
        const page = await context.newPage();
        const hands = new Hands(page, run.by);
        const file = join(site.root, ".dune/admin/initial-admin-password");
        await page.goto("/admin");
        await hands.fill(page.getByLabel("Username or e-mail address"), "admin");
        const initial = (await readFile(file, "utf8")).trim();
        await hands.fill(page.getByLabel("Password", { exact: true }), initial);
        await hands.press(page.getByRole("button", { name: "Sign in", exact: true }));
        await page.getByRole("region", { name: "First steps" }).waitFor();

        hands.begin();
        await hands.press(page.getByRole("link", { name: "New page" }));
        const dialog = page.getByRole("dialog", { name: "New page" });
        const title = slugOf("dawn", run);
        await hands.fill(dialog.getByLabel("Title"), title);
        // Where the last page was written.
        assert.equal(await dialog.locator("input[name=parent]").inputValue(), "/blog");
        await hands.press(dialog.getByRole("button", { name: "Create and write" }));
        await hands.enter(textOf(page));
        await page.keyboard.type("Boats leave early.\n\n");
        await hands.press(page.getByRole("button", { name: "Picture" }));
        const upload = page.getByLabel("Upload pictures");
        const name = `${title}.png`;
        await hands.upload(upload, { name, mimeType: "image/png", buffer });
        await page.locator("img.md-picture").waitFor();
        await checkAccessible(page, slugOf("journey-illustrated", run));
        await publish(hands);
        hands.finish("Write and publish an illustrated post");
        const html = await (await site.fetch(`/blog/${title}`)).text();
        assert.match(html, /Boats leave early[\s\S]*<img/);
      });

      it("corrects a typo on a live page", async () => {
        const { hands, page } = await open(run);
        const url = site.url;
        await page.context().addCookies([{ name: "site_panel", value: "1", url }]);
        await page.goto(`/blog/${slugOf("typo", run)}`);
        hands.begin();
        await hands.press(page.getByRole("link", { name: "Edit this page" }));
        const word = textOf(page).getByText("The harbuor");
        await word.waitFor();
        if (hands.isKeyboard) {
          await hands.enter(textOf(page));
          await page.keyboard.press("Control+Home");
          for (const key of ["Control+ArrowRight", "Control+Shift+ArrowRight"]) {
            await page.keyboard.press(key);
          }
          await page.keyboard.type(" harbour");
        } else {
          hands.clicks += 2;
          await word.dblclick({ position: { x: 50, y: 8 } });
          await page.keyboard.type("harbour");
        }
        await checkAccessible(page, slugOf("journey-typo", run));
        await publish(hands);
        hands.finish("Correct a typo on a live page");
        assert.match(await fileOf(pathOf("typo", run)), /^The harbour at dawn\.$/m);
        assert.match(await (await site.fetch(`/blog/${slugOf("typo", run)}`)).text(), /harbour/);
      });

      it("schedules a page", async () => {
        const { hands, page } = await open(run);
        await openPage(hands, slugOf("schedule", run));
        hands.begin();
        await hands.press(page.getByLabel("More actions"));
        await hands.press(page.getByRole("button", { name: "Schedule …" }));
        await hands.fillMoment(page.getByLabel("Date and time"), ["2031-05-05", "08:00"]);
        await checkAccessible(page, slugOf("journey-schedule", run));
        await hands.press(page.getByRole("dialog").getByRole("button", { name: "Schedule" }));
        await page
          .locator(".badge")
          .getByText(/^Scheduled for/)
          .waitFor();
        hands.finish("Schedule a draft");
        assert.match(await fileOf(pathOf("schedule", run)), /publish_date:.*2031-05-05T08:00/);
      });

      it("restores yesterday's version", async () => {
        const { hands, page } = await open(run, `/edit/${pathOf("restore", run)}`);
        const dialog = page.getByRole("dialog", { name: /^Version of/ });
        hands.begin();
        await hands.press(page.getByRole("button", { name: "History" }));
        await hands.press(page.locator(".revision").nth(1));
        await dialog.getByText("Today's words.").waitFor();
        await checkAccessible(page, slugOf("journey-restore", run));
        await hands.press(dialog.getByRole("button", { name: "Restore this version" }));
        await page.getByText(/was restored/).waitFor();
        hands.finish("Restore an older version");
        assert.match(await fileOf(pathOf("restore", run)), /^Today's words\.$/m);
      });

      it("resolves a conflict", async () => {
        const path = pathOf("conflict", run);
        const { hands, page } = await open(run, `/edit/${path}`);
        await textOf(page).getByText("The harbuor").waitFor();
        const theirs = (await fileOf(path)).replace("at dawn", "at noon");
        const draft = `/admin/api/drafts/${path}`;
        await admin.json(201, "PUT", draft, { content: theirs });
        await hands.enter(textOf(page));
        await page.keyboard.press("Control+End");
        for (let at = 0; at < 6; at += 1) await page.keyboard.press("Backspace");
        await page.keyboard.type("dusk.");
        const dialog = page.getByRole("dialog", { name: "Two versions of this page" });
        const text = dialog.getByLabel("Merged text");
        const take = dialog.getByLabel("Take both");
        await take.waitFor();
        hands.begin();
        await checkAccessible(page, slugOf("journey-conflict", run));
        if (hands.isKeyboard) {
          // The choices of a place are one stop for Tab.
          await hands.reach(dialog.getByLabel("Take mine"));
          for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press("ArrowDown");
        } else await hands.check(take);
        assert.match(await text.inputValue(), /at noon/);
        const body = "The harbour at noon and dusk.\n";
        const merged = `---\ntitle: ${slugOf("conflict", run)}\n---\n${body}`;
        await hands.fill(text, body);
        await hands.press(dialog.getByRole("button", { name: "Save" }));
        await page.getByText("Unpublished changes, saved").waitFor();
        await publish(hands);
        hands.finish("Resolve a conflict, from its dialog");
        assert.equal(await fileOf(path), merged);
      });

      it("translates a page beside its original", async () => {
        const { hands, page } = await open(run);
        const slug = slugOf("translate", run);
        await openPage(hands, slug);
        hands.begin();
        await hands.press(languageOf(page, "English (en) · one language is missing"));
        await hands.press(page.getByRole("button", { name: "German: missing: translate" }));
        await page.waitForURL(/post\.de\.md\?source$/);
        const original = page.getByRole("region", { name: "Original, English" });
        await original.getByText("The harbuor at dawn.").waitFor();
        await checkAccessible(page, slugOf("journey-translate", run));
        if (run === RUNS[0]) await takePicture(page, "translation");
        await hands.fill(page.getByLabel("Title"), "Am Hafen");
        await hands.enter(textOf(page));
        await page.keyboard.press("Control+a");
        await page.keyboard.type("Der Hafen im Morgengrauen.");
        await publish(hands);
        hands.finish("Translate a page, with its title");
        const text = await fileOf(pathOf("translate", run).replace(".md", ".de.md"));
        assert.match(
          text,
          /^---\ntitle: Am Hafen\nstatus: published\ntranslated_from: "?\w{12}"?\n---\n/,
        );
        const html = await (await site.fetch(`/de/blog/${slug}`)).text();
        assert.match(html, /Der Hafen im Morgengrauen/);
        assert.match(await fileOf(pathOf("translate", run)), /harbuor/);
        await hands.press(languageOf(page, "German (de)"));
        await page.getByRole("link", { name: "English: original" }).waitFor();
      });
    });
  }
});
