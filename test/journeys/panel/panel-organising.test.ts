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
import { picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

const boats = `title: Boats
fields:
  name: { type: text, label: Name, required: true }
  length: { type: number, label: Length }
`;

describe("organising in the panel", () => {
  let browser: Browser;
  let site: AdminSite;
  let admin: AdminClient;
  let closing: (() => Promise<void>)[] = [];
  before(async function () {
    browser = await useChromium(this);
    const photo = await picture(400, 200);
    const files: Record<string, string | Buffer> = {
      "flex-objects/boats.yaml": boats,
      "content/09.atlas/default.md": "---\ntitle: Atlas\n---\n",
      "content/09.atlas/01.maps/default.md": "---\ntitle: Maps\n---\n",
      "content/09.atlas/02.names/default.md": "---\ntitle: Names\n---\n",
    };
    for (const [at, run] of RUNS.entries()) {
      files[`content/01.home/${slugOf("photo", run)}.png`] = photo;
      const section = `content/1${at}.${slugOf("coast", run)}`;
      const title = slugOf("coast", run);
      files[`${section}/default.md`] = `---\ntitle: ${title}\n---\n`;
      files[`${section}/01.inner/default.md`] = `---\ntitle: inner\n---\n`;
      files[`content/2${at}.${slugOf("links", run)}/default.md`] =
        `---\ntitle: links\n---\n[Coast](/${title}) and [inner](/${title}/inner)\n`;
      for (let page = 1; page <= 20; page += 1) {
        const path = `content/3${at}.${slugOf("bulk", run)}/${page}.p${page}/post.md`;
        files[path] = `---\ntitle: ${slugOf("bulk", run)} ${page}\n---\n`;
      }
    }
    site = await bootPanel({ files });
    admin = await site.as("admin", { username: "seed" });
  });
  after(() => site.close());
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  async function open(run: Run): Promise<{ hands: Hands; page: Page }> {
    const opened = await openHands(browser, site, { run });
    closing.push(opened.close);
    return opened;
  }

  async function moveByDialog(hands: Hands, title: string): Promise<void> {
    const { page } = hands;
    await hands.reachItem(page.getByRole("tree"), page.getByRole("treeitem", { name: title }));
    await hands.press(page.getByRole("button", { name: `Move ${title}`, exact: true }));
    const dialog = page.getByRole("dialog", { name: `Move ${title}` });
    await hands.fill(dialog.getByLabel("Search for a page"), "Atlas");
    await hands.check(dialog.getByRole("radio", { name: "Atlas" }));
    await hands.press(dialog.getByRole("button", { name: "Move", exact: true }));
  }
  /** Drags a page into another level, between two of its pages. */
  async function dragBetween(hands: Hands, title: string, [above, below]: [string, string]) {
    const { page } = hands;
    await hands.press(page.getByRole("button", { name: "Show pages below Atlas" }));
    await page.locator(`[draggable=true][aria-label="${below}"]`).waitFor();
    await page.getByTitle(`Drag ${title} to another place`).hover();
    hands.clicks += 1;
    await page.mouse.down();
    const row = page.getByRole("treeitem", { name: above });
    const { x, y, height } = (await row.boundingBox()) ?? assert.fail();
    await page.mouse.move(x + 120, y + height * 0.8, { steps: 4 });
    await page.mouse.move(x + 122, y + height * 0.9);
    await page.locator(`[aria-label="${above}"][data-drop=after]`).waitFor();
    await page.mouse.up();
    await page.locator(`[aria-label="${title}"][aria-level="2"][aria-posinset="2"]`).waitFor();
  }

  for (const [at, run] of RUNS.entries()) {
    describe(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, () => {
      it("moves a section with its links kept", async () => {
        const { hands, page } = await open(run);
        const title = slugOf("coast", run);
        await hands.go("Pages");
        await hands.press(page.getByRole("button", { name: "Tree" }));
        if (hands.isKeyboard) await moveByDialog(hands, title);
        else await dragBetween(hands, title, ["Maps", "Names"]);
        await page.getByText(`${title} was moved.`, { exact: false }).waitFor();
        hands.finish("Move a section below another page");
        await checkAccessible(page, slugOf("journey-move", run));
        const source = await site.site
          .use("content")
          .source(`2${at}.${slugOf("links", run)}/default.md`);
        const atlas = `/atlas/${title}`;
        assert.equal(source?.body, `[Coast](${atlas}) and [inner](${atlas}/inner)\n`);
        assert.equal((await site.fetch(`${atlas}/inner`)).status, 200);
        const old = await site.fetch(`/${title}/inner`);
        assert.equal(old.headers.get("location"), `${atlas}/inner`);
      });

      it("tags twenty pages at once", async () => {
        const { hands, page } = await open(run);
        await hands.go("Pages");
        await hands.fill(page.getByLabel("Search title or address"), slugOf("bulk", run));
        await page.getByText("20 pages", { exact: true }).waitFor();
        await hands.check(page.getByLabel("Select all pages of this list"));
        await page.getByText("20 pages selected").waitFor();
        await checkAccessible(page, slugOf("journey-bulk", run));
        await hands.press(page.getByRole("button", { name: "Add tag …" }));
        const dialog = page.getByRole("dialog");
        await hands.fill(dialog.getByLabel("Tag", { exact: true }), "harbour");
        await hands.press(dialog.getByRole("button", { name: "Add tag" }));
        await page.getByText("20 pages were changed.").waitFor();
        hands.finish("Tag twenty pages");
        const tagged = site.site
          .use("content")
          .generation()
          .entries.filter(({ sourcePath }) => sourcePath.startsWith(`3${at}.`))
          .filter(({ taxonomy }) => taxonomy["tag"]?.includes("harbour") === true);
        assert.equal(tagged.length, 20);
      });

      it("edits a record", async () => {
        const name = slugOf("boat", run);
        const { id } = await admin.json(201, "POST", "/admin/api/flex/boats", { name, length: 3 });
        const { hands, page } = await open(run);
        await hands.go("Records", "Boats");
        await hands.press(page.getByRole("link", { name, exact: true }));
        await hands.fill(page.getByLabel("Length"), "9.5");
        await checkAccessible(page, slugOf("journey-record", run));
        await hands.press(page.getByRole("button", { name: "Save" }));
        await page.getByRole("link", { name, exact: true }).waitFor();
        hands.finish("Edit a record");
        const records = await site.site.use("flex").all("boats");
        const stored = records.find((record) => record["name"] === name);
        assert.equal(stored?.["length"], 9.5, String(id));
      });

      it("describes and crops an image", async () => {
        const name = `${slugOf("photo", run)}.png`;
        const { hands, page } = await open(run);
        await hands.go("Media");
        await hands.press(page.getByRole("button", { name }));
        const dialog = page.getByRole("dialog");
        await hands.fill(dialog.getByLabel("Alternative text"), "The harbour at dawn");
        if (hands.isKeyboard) {
          await hands.reach(dialog.getByRole("button", { name: "Focal point" }));
          for (let press = 0; press < 4; press += 1) await page.keyboard.press("Shift+ArrowLeft");
        } else {
          const preview = dialog.getByAltText(`Preview of ${name}`);
          await until(async () => ((await preview.boundingBox())?.height ?? 0) > 20);
          const { width, height } = (await preview.boundingBox()) ?? assert.fail();
          hands.clicks += 1;
          await preview.click({ position: { x: width * 0.1, y: height / 2 } });
        }
        await checkAccessible(page, slugOf("journey-crop", run));
        await hands.press(dialog.getByRole("button", { name: "Save" }));
        await page.getByText("The description was saved.").waitFor();
        hands.finish("Describe and crop an image");
        const file = join(site.root, "content/01.home", `${name}.meta.yaml`);
        const text = await readFile(file, "utf8");
        assert.match(text, /alt: The harbour at dawn/);
        assert.match(text, /focal_point:\s*(?:\[ ?(?:10|9\.\d|10\.\d),|\n\s*- (?:10|9\.\d))/);
      });
    });
  }
});
