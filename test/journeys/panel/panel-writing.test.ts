import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { AdminClient, AdminSite } from "../../support/sites/admin-site.js";
import { bootPanel, checkAccessible } from "../../support/browsers/panel-browser.js";
import {
  openHands,
  RUNS,
  slugOf,
  type Hands,
  type Run,
} from "../../support/browsers/panel-hands.js";
import { useChromium } from "../../support/services.js";

describe("writing in the panel", () => {
  let browser: Browser;
  let site: AdminSite;
  let admin: AdminClient;
  let closing: (() => Promise<void>)[] = [];
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel();
    admin = await site.as("admin", { username: "seed" });
    for (const run of RUNS) {
      for (const job of ["typo", "conflict"]) await seed(job, run);
    }
  });
  after(() => site.close());
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  const pathOf = (job: string, run: Run): string => `02.blog/${slugOf(job, run)}/post.md`;
  async function seed(job: string, run: Run): Promise<void> {
    const content = `---\ntitle: ${slugOf(job, run)}\n---\nThe harbuor at dawn.\n`;
    await admin.json(201, "POST", "/admin/api/pages", { path: pathOf(job, run), content });
  }
  const fileOf = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const textOf = (page: Page) => page.getByRole("textbox", { name: "Text of the page" });
  async function open(run: Run, path = ""): Promise<{ hands: Hands; page: Page }> {
    const opened = await openHands(browser, site, { run, path });
    closing.push(opened.close);
    return opened;
  }
  async function publish(hands: Hands): Promise<void> {
    await hands.press(hands.page.getByRole("button", { name: /^Publish/ }));
    await hands.page.getByText("Published.", { exact: true }).waitFor();
  }

  for (const run of RUNS) {
    describe(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, () => {
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
    });
  }
});
