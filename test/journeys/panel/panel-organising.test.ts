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
    };
    for (const run of RUNS) {
      files[`content/01.home/${slugOf("photo", run)}.png`] = photo;
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

  for (const run of RUNS) {
    describe(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, () => {
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
