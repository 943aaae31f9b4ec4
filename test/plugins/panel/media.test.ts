import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import {
  assertAccessible,
  bootPanel,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { gradient, picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { VIEWS } from "../../support/browsers/views.js";

const FOLDER = "02.blog/01.first";
const HARBOUR = `${FOLDER}/harbour.png`;

describe("the panel's media library", function () {
  this.timeout(240_000);
  const desk = usePanel(useChromium, async () => {
    const roles = { painter: { permissions: ["pages.read", "media.upload"], paths: ["blog/**"] } };
    return bootPanel({
      settings: { admin: { roles } },
      files: {
        [`content/${HARBOUR}`]: await picture(400, 200),
        [`content/${FOLDER}/post.md`]: "---\ntitle: First\n---\n![](harbour.png)\n",
        "content/01.home/report.pdf": "%PDF-1.7\n",
        "content/01.home/boat.gif": await gradient(20, 10).gif().toBuffer(),
      },
    });
  });
  const open = (options: PanelPageOptions = {}): Promise<Page> =>
    desk.open({ path: "/media", ...options });
  const stored = (path: string): Promise<Buffer> => readFile(join(desk.site.root, "content", path));
  const sidecar = (path: string): Promise<string> =>
    stored(`${path}.meta.yaml`).then((bytes) => bytes.toString("utf8"));
  async function png(width: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
    return { name: "new.png", mimeType: "image/png", buffer: await picture(width, 10) };
  }

  it("narrows the files by folder, type and words, as pictures and as a table", async () => {
    const page = await open();
    await page.getByText("3 files").waitFor();
    await page.getByLabel("Folder").selectOption(FOLDER);
    await page.getByText("One file", { exact: true }).waitFor();
    await page.getByLabel("Folder").selectOption("All folders");
    await page.getByLabel("Type").selectOption("PDF");
    await page.getByRole("button", { name: "report.pdf" }).waitFor();
    await page.getByText("One file", { exact: true }).waitFor();
    await page.getByLabel("Type").selectOption("All types");
    await page.getByLabel("Search name, title or alternative text").fill("harb");
    await page.getByText("One file", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    await page
      .getByRole("row", { name: /harbour.png/ })
      .getByText("One place")
      .waitFor();
  });

  it("describes, moves and deletes selected files, and says where they are used", async () => {
    const page = await open();
    await page.getByLabel(`Select ${HARBOUR}`).check();
    await page.getByLabel("Select 01.home/boat.gif").check();
    await page.getByText("2 files selected").waitFor();
    await page.getByRole("button", { name: "Describe …" }).click();
    const texts = page.getByRole("dialog", { name: "Alternative texts" });
    await texts.getByLabel("Alternative text of harbour.png").fill("The harbour");
    await texts.getByLabel("Alternative text of boat.gif").fill("A boat");
    await assertAccessible(page, "media-describe");
    await texts.getByRole("button", { name: "Save" }).click();
    await page.getByText("2 files were changed.").waitFor();
    assert.equal(await sidecar(HARBOUR), "alt: The harbour\n");
    await page.getByRole("button", { name: "Table" }).click();
    await page.getByLabel("Select all files of this list").check();
    await page.getByRole("button", { name: "Move …" }).click();
    const move = page.getByRole("dialog", { name: "Move 3 files to another page" });
    await move.getByText("These pages and records name the files:").waitFor();
    await move.getByLabel("Folder").fill("01.home");
    await move.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("3 files were changed.").waitFor();
    assert.match(
      (await stored(`${FOLDER}/post.md`)).toString(),
      /\(\.\.\/\.\.\/01\.home\/harbour\.png\)/,
    );
    await page.getByLabel("Select 01.home/harbour.png").check();
    await page.getByRole("button", { name: "Move to trash" }).click();
    const remove = page.getByRole("dialog", { name: "Move this file to the trash?" });
    await remove.getByText("These pages and records name the files:").waitFor();
    await remove.getByText("First").waitFor();
    await remove.getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("One file was changed.").waitFor();
    await page.getByText("2 files", { exact: true }).waitFor();
  });

  it("uploads many files at once, and says of each what the server says", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Upload files" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Folder").fill(FOLDER);
    const good = await picture(30, 10);
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });
    await dialog
      .getByLabel("Files")
      .setInputFiles([
        file("one.png", good),
        file("../../<b onclick=x>two 船.png", good),
        file("program.html", Buffer.from("<script>")),
        file("false.jpg", good),
        file("harbour.png", good),
      ]);
    await dialog.getByText("2 of 5 stored, 3 failed").waitFor();
    await dialog.getByText(`${FOLDER}/one.png`).waitFor();
    await dialog.getByText('files of type ".html" are not media').waitFor();
    await dialog.getByText('"false.jpg" holds "png", not what its extension says').waitFor();
    await dialog.getByText(`file "${HARBOUR}" already exists`).waitFor();
    await dialog.getByRole("button", { name: "Keep both, and store harbour.png" }).click();
    await dialog.getByText(`${FOLDER}/harbour-2.png`).waitFor();
    assert.deepEqual(await stored(`${FOLDER}/harbour-2.png`), good);
    await page.keyboard.press("Escape");
    await page.getByText("6 files").waitFor();
    const names = await page.locator(".media-grid button").allInnerTexts();
    assert.ok(names.some((name) => name.startsWith("b-onclick-x-two-船.png")));
  });

  it("checks the folder once, before the first file, and takes the only match", async () => {
    const page = await open({ path: "/media?upload=1" });
    const dialog = page.getByRole("dialog");
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const { buffer, mimeType } = await png(20);
    await dialog.getByLabel("Folder").fill("no such folder");
    await dialog.getByLabel("Files").setInputFiles({ name: "a.png", mimeType, buffer });
    await dialog
      .getByText(/There is no folder or page “no such folder” that you may upload to/)
      .waitFor();
    assert.deepEqual(sent, []);
    await dialog.getByLabel("Folder").fill(FOLDER.slice(1));
    await dialog.getByLabel("Files").setInputFiles([
      { name: "a.png", mimeType, buffer },
      { name: `${"long".repeat(60)}.png`, mimeType, buffer },
    ]);
    await dialog.getByText("1 of 2 stored, 1 failed").waitFor();
    assert.equal(await dialog.getByLabel("Folder").inputValue(), FOLDER);
    await dialog.getByText(/has 244 bytes, more than 200: rename the file/).waitFor();
    await dialog.getByRole("button", { name: /^Try again: long/ }).waitFor();
    await assertAccessible(page, "upload-failed");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `a.png ${FOLDER}` }).waitFor();
  });

  it("says why a stored picture cannot be resized", async () => {
    const page = await open({ path: `/media?folder=${FOLDER}&upload=1` });
    const dialog = page.getByRole("dialog");
    const damaged = (await picture(60, 20)).subarray(0, 60);
    const buffer = Buffer.concat([damaged, Buffer.from("no picture")]);
    const file = { name: "damaged.png", mimeType: "image/png", buffer };
    await dialog.getByLabel("Files").setInputFiles(file);
    await dialog.getByText("1 of 1 stored, 0 failed").waitFor();
    await dialog
      .getByRole("alert")
      .getByText(/pages show it as it is/)
      .waitFor();
    await assertAccessible(page, "upload-warning");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "damaged.png" }).click();
    await dialog.getByLabel("Replace the file").setInputFiles(file);
    await page.locator(".toast.warned", { hasText: "damaged.png: " }).waitFor();
  });

  it("replaces a file on upload when the person chooses it", async () => {
    const page = await open({ path: `/media?folder=${FOLDER}&upload=1` });
    const dialog = page.getByRole("dialog");
    const { buffer, mimeType } = await png(50);
    await dialog.getByLabel("Files").setInputFiles({ name: "harbour.png", mimeType, buffer });
    await dialog.getByRole("button", { name: "Replace the other file: harbour.png" }).click();
    await dialog.getByText("1 of 1 stored, 0 failed").waitFor();
    assert.deepEqual(await stored(HARBOUR), buffer);
  });

  it("sends no replacement that is larger than the server accepts", async () => {
    const page = await open({ path: `/media?folder=${FOLDER}` });
    await page.getByRole("button", { name: "harbour.png" }).click();
    const before = await stored(HARBOUR);
    const sent: string[] = [];
    page.on("request", (request) => void sent.push(`${request.method()} ${request.url()}`));
    await desk.site.write("too-large.png", Buffer.alloc(51 * 1_048_576));
    const dialog = page.getByRole("dialog");
    await dialog
      .getByLabel("Replace the file")
      .setInputFiles(join(desk.site.root, "too-large.png"));
    await dialog
      .getByText("The file has 51.0 MB, more than the 50 MB that the server accepts")
      .waitFor();
    assert.deepEqual(
      sent.filter((line) => line.includes("/media/upload")),
      [],
    );
    assert.deepEqual(await stored(HARBOUR), before);
  });

  it("takes a picture of 40 MB, says why it cannot be resized, and shows it as it is", async () => {
    const [width, height] = [3_700, 3_700];
    const raw = { width, height, channels: 3 } as const;
    const noise = randomBytes(width * height * 3);
    const buffer = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer();
    assert.ok(buffer.length > 40_000_000);
    const page = await open({ path: `/media?folder=${FOLDER}&upload=1` });
    const dialog = page.getByRole("dialog");
    const large = join(desk.site.root, "large.png");
    await desk.site.write("large.png", buffer);
    await dialog.getByLabel("Files").setInputFiles(large);
    await dialog.getByText("1 of 1 stored, 0 failed").waitFor({ timeout: 60_000 });
    const why = "the image cannot be processed: it is larger than 25 MB; pages show it as it is";
    await dialog.getByRole("alert").getByText(why).waitFor();
    await page.keyboard.press("Escape");
    const shown = `document.querySelector('.media-grid img[src*="large.png"]')?.naturalWidth`;
    await until(async () => (await page.evaluate<number>(shown)) === width);
  });

  it("takes dropped and pasted files, and asks for the folder when none is chosen", async () => {
    const page = await open();
    await page.getByText("3 files").waitFor();
    const bytes = [...(await picture(30, 10))];
    const give = (type: "drop" | "paste", name: string): Promise<void> =>
      page.evaluate(
        `{ const data = new DataTransfer();
           data.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], "${name}", { type: "image/png" }));
           dispatchEvent("${type}" === "drop"
             ? new DragEvent("drop", { dataTransfer: data, cancelable: true })
             : new ClipboardEvent("paste", { clipboardData: data, cancelable: true })); }`,
      );
    await give("drop", "dropped.png");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("One file waits for a folder").waitFor();
    await dialog.getByLabel("Folder").fill("01.home");
    await dialog.getByRole("button", { name: "Upload into this folder" }).click();
    await dialog.getByText("01.home/dropped.png").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Folder").selectOption("01.home");
    await give("paste", "pasted.png");
    await dialog.getByText("01.home/pasted.png").waitFor();
  });

  it("describes a picture by keyboard, and moves its focal point with the arrow keys", async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.getByRole("button", { name: "harbour.png" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const point = dialog.getByRole("button", { name: "Focal point" });
    await point.focus();
    for (let press = 0; press < 4; press += 1) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("ArrowDown");
    await dialog.getByText("10 % from the left, 51 % from the top").waitFor();
    await dialog.getByLabel("Alternative text").focus();
    await page.keyboard.type("The harbour at dawn");
    await page.keyboard.press("Enter");
    await page.getByText("The description was saved.").waitFor();
    const text = await sidecar(HARBOUR);
    assert.match(text, /alt: The harbour at dawn/);
    assert.match(text, /focal_point:\s*(?:\[ ?10, 51 ?\]|\n\s*- 10\n\s*- 51)/);
  });

  it("sets the focal point by a click, and shows the crops that the pipeline makes", async () => {
    const page = await open({ path: `/media?file=${HARBOUR}` });
    const dialog = page.getByRole("dialog");
    const preview = dialog.getByAltText("Preview of harbour.png");
    await until(async () => ((await preview.boundingBox())?.height ?? 0) > 20);
    const { width, height } = (await preview.boundingBox()) ?? { width: 0, height: 0 };
    await preview.click({ position: { x: width * 0.9, y: height / 2 } });
    const square = dialog.getByRole("list", { name: "Crops" }).locator("img").first();
    assert.match((await square.getAttribute("style")) ?? "", /object-position: 100% 50%/);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The description was saved.").waitFor();
    const made = await desk.site.fetch(`/content-media/${HARBOUR}?width=320&height=320&format=png`);
    const { data } = await sharp(Buffer.from(await made.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Red grows to the right: the crop starts in the middle of the picture.
    assert.ok(Math.abs((data[0] ?? 0) - 128) < 6, `red ${data[0]}`);
  });

  it("replaces a file and keeps its address and description", async () => {
    await desk.site.write(`content/${HARBOUR}.meta.yaml`, "# by hand\nalt: Harbour\n");
    const page = await open({ path: `/media?file=${HARBOUR}` });
    const dialog = page.getByRole("dialog");
    const before = await dialog.getByAltText("Preview of harbour.png").getAttribute("src");
    const wrong = { name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") };
    await dialog.getByLabel("Replace the file").setInputFiles(wrong);
    await dialog.getByText(/not what its extension says/).waitFor();
    const next = await png(60);
    await dialog.getByLabel("Replace the file").setInputFiles(next);
    await page.getByText("The file was replaced.").waitFor();
    assert.deepEqual(await stored(HARBOUR), next.buffer);
    assert.equal(await sidecar(HARBOUR), "# by hand\nalt: Harbour\n");
    const preview = dialog.getByAltText("Preview of harbour.png");
    await until(async () => (await preview.getAttribute("src")) !== before);
  });

  it("names the pages that use a file before it is deleted, and takes that back", async () => {
    const page = await open({ path: `/media?file=${HARBOUR}` });
    const dialog = page.getByRole("dialog", { name: "harbour.png", exact: true });
    const link = dialog.getByRole("region", { name: "Used by" }).getByRole("link");
    assert.equal(await link.getAttribute("href"), `/admin/edit/${FOLDER}/post.md`);
    await dialog.getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Delete harbour.png?" });
    await question.getByText("These pages and records name the file").waitFor();
    await question.getByText("First").waitFor();
    await question.getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("2 files").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("3 files").waitFor();
    assert.ok((await stored(HARBOUR)).length > 0);
  });

  it("offers a role limited to paths only what it may do there", async () => {
    const page = await open({ role: "painter" });
    await page.getByText("One file", { exact: true }).waitFor();
    await page.getByRole("button", { name: "harbour.png" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Alternative text").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Delete" }).count(), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Upload files" }).click();
    await until(async () => (await dialog.locator("option").count()) > 0);
    const options = await dialog.locator("option").all();
    const folders = await Promise.all(options.map((one) => one.getAttribute("value")));
    assert.deepEqual(folders, ["02.blog", "02.blog/01.first", "02.blog/02.second"]);
    await dialog.getByLabel("Folder").fill("01.home");
    await dialog.getByLabel("Files").setInputFiles(await png(30));
    await dialog.getByText(/There is no folder or page “01.home” that you may upload to/).waitFor();
    const form = new FormData();
    form.set("pagePath", "01.home/default.md");
    form.set("file", new Blob([new Uint8Array((await png(30)).buffer)]), "new.png");
    const painter = await desk.site.as("painter", { username: "sender" });
    const refused = await painter.send("POST", "/admin/api/media/upload", form);
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /permission media.upload is needed/);
  });

  it("shows files to a role that may not change them", async () => {
    const page = await open({ role: "author", path: `/media?file=01.home/boat.gif` });
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No page or record names this file.").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Delete" }).count(), 0);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const viewport = { width, height: 900 };
      const locale = width === 390 ? "de-DE" : "en-GB";
      const page = await open({ colorScheme, viewport, locale, bypassCSP: true });
      const name = `media-${colorScheme}-${width}`;
      await page.getByRole("button", { name: /harbour.png/ }).waitFor();
      await assertAccessible(page, name);
      await page.goto("/admin/media?view=list");
      await page.getByRole("row", { name: /harbour.png/ }).waitFor();
      await assertAccessible(page, `${name}-list`);
      await page.goto(`/admin/media?file=${HARBOUR}`);
      await page.getByRole("link", { name: "First", exact: true }).waitFor();
      await assertAccessible(page, `${name}-file`);
      await page.goto(`/admin/media?folder=${FOLDER}&upload=1`);
      await page
        .getByRole("dialog")
        .locator("input[type=file]")
        .setInputFiles(await png(20));
      await page.getByText(`${FOLDER}/new.png`).waitFor();
      await assertAccessible(page, `${name}-upload`);
    });
  }
});
