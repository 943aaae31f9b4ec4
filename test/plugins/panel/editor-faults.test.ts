import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { password, type AdminClient, type AdminSite } from "../../support/sites/admin-site.js";
import { deferred } from "../../support/deferred.js";
import { startNamedHost, type NamedHost } from "../../support/servers/named-host.js";
import { bootPanel } from "../../support/browsers/panel-browser.js";
import {
  EditorDesk,
  localTexts,
  ORIGINAL,
  publish,
  saved,
  textOf,
  typeAtEnd,
} from "../../support/browsers/panel-editor.js";
import { picture } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

const LONG = `${ORIGINAL}\nSecond part.\n\nThird part.\n`;
const NOTE = "fields:\n  title: { type: text }\n  mood: { type: text, label: Mood }\n";
const FILES = {
  "site.yaml": "title: Faults\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n",
  "content/02.blog/blog.md": "---\ntitle: Blog\n---\n",
};

describe("the panel's editor when something goes wrong", function () {
  this.timeout(240_000);
  let browser: Browser;
  let root: string;
  let front: NamedHost;
  let site: AdminSite;
  let admin: AdminClient;
  let desk: EditorDesk;
  before(async function () {
    browser = await useChromium(this);
    root = await mkdtemp(join(tmpdir(), "site-faults-"));
    front = await startNamedHost();
    const files = { ...FILES, "blueprints/note.yaml": NOTE };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    await start();
    admin = await site.as("admin", { username: "seed" });
    desk = new EditorDesk(browser, () => site);
  });
  afterEach(() => desk.clear());
  after(async () => {
    await site.close();
    front.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Starts the site, again on the same folder and behind the same address. */
  async function start(): Promise<void> {
    site = { ...(await bootPanel({ root, settings: { site: { url: front.url } } })) };
    front.lead(site.url);
    site.url = front.url;
  }
  const shownText = async (page: Page): Promise<string> => (await textOf(page).textContent()) ?? "";
  const put = (path: string, edit: object) =>
    admin.json(200, "PUT", `/admin/api/pages/${path}`, edit);

  it("keeps what is typed without a connection, and merges it with what others wrote", async () => {
    const path = await desk.seed("offline", LONG);
    const page = await desk.open(path);
    await page.context().setOffline(true);
    await typeAtEnd(page, "Typed offline.");
    await page.getByText(/The server does not answer/).waitFor();
    await put(path, { content: LONG.replace("First body", "First body by another person") });
    await page.context().setOffline(false);
    await saved(page);
    await publish(page);
    const text = await desk.file(path);
    assert.match(text, /First body by another person\.\n[^]*Typed offline\.$/);
  });

  it("requests nothing that fails for a page with or without a working copy", async () => {
    const path = await desk.seed("without-copy");
    const page = await desk.screen("/pages");
    const failed = new Array<string>();
    page.on("response", (one) => void (one.ok() || failed.push(`${one.status()} ${one.url()}`)));
    page.on("console", (one) => void (one.type() === "error" && failed.push(one.text())));
    await page.goto(`/admin/edit/${path}`);
    await typeAtEnd(page, "A copy now.");
    await saved(page);
    await page.reload();
    await textOf(page).getByText("A copy now.").waitFor();
    assert.deepEqual(failed, []);
  });

  it("loads parts of its own whose loading failed, without being asked", async () => {
    const page = await desk.screen("/pages");
    const blocked = "**/panel/later-*.js";
    await page.route(blocked, (route) => route.abort());
    await page.goto(`/admin/edit/${await desk.seed("parts")}`);
    await page.locator(".editor-head").getByRole("alert").first().waitFor();
    await page.unroute(blocked);
    await page
      .locator(".editor-head")
      .getByRole("button", { name: /^Publish/ })
      .waitFor();
  });

  it("brings back what a closed window could not save", async () => {
    const path = await desk.seed("closed");
    const page = await desk.open(path);
    await page.route("**/admin/api/drafts/**", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await typeAtEnd(page, "Not lost.");
    await until(async () => (await localTexts(page)).includes("Not lost."));
    await page.goto("/admin/pages");
    await page.unroute("**/admin/api/drafts/**");
    await page.goto(`/admin/edit/${path}`);
    await page.getByText("Text that could not be saved on your last visit is back.").waitFor();
    await textOf(page).getByText("Not lost.").waitFor();
    await saved(page);
  });

  it("signs in again in mid-edit, once for all requests, with the text kept", async () => {
    const path = await desk.seed("session");
    const page = await desk.open(path, { username: "eva" });
    const signedIn = deferred<void>();
    // The refusal of one request arrives after the others have signed in.
    await page.route("**/admin/api/history/**", async (route) => {
      const response = await route.fetch();
      await signedIn.promise;
      await route.fulfill({ response });
    });
    await textOf(page).click();
    await page.keyboard.press("Control+End");
    await page.context().clearCookies();
    const refused = page.waitForRequest("**/admin/api/history/**");
    await page.getByRole("button", { name: "History" }).click();
    await refused;
    await textOf(page).focus();
    // One input: what is typed later goes into the dialog.
    await page.keyboard.insertText("Late words.");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Username or e-mail address").fill("eva");
    await dialog.getByLabel("Password").fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await saved(page);
    signedIn.resolve();
    await page.locator(".side-history .revision").first().waitFor();
    assert.equal(await dialog.count(), 0);
    await textOf(page).getByText("Late words.").waitFor();
  });

  it("goes on after the server was restarted", async () => {
    const path = await desk.seed("restart");
    const page = await desk.open(path, { username: "rosa" });
    await typeAtEnd(page, "Before.");
    await saved(page);
    await site.close();
    await page.keyboard.type(" Meanwhile.");
    await page.getByText(/The server does not answer/).waitFor();
    await start();
    admin = await site.as("admin", { username: "seed-again" });
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const state = page.getByText("Unpublished changes, saved");
    await state.or(dialog).first().waitFor();
    if (await dialog.isVisible()) {
      await dialog.getByLabel("Username or e-mail address").fill("rosa");
      await dialog.getByLabel("Password").fill(password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
    }
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), `${ORIGINAL}Before. Meanwhile.`);
  });

  it("keeps what one person types in two tabs", async () => {
    const path = await desk.seed("tabs", LONG);
    const one = await desk.open(path);
    const two = await one.context().newPage();
    await two.goto(`/admin/edit/${path}`);
    await two.locator(".cm-content").waitFor();
    await typeAtEnd(one, "In the first tab.");
    await saved(one);
    await textOf(two).click();
    await two.keyboard.press("Control+Home");
    await two.keyboard.type("In the second tab. ");
    await two.getByText(/were merged into your text/).waitFor();
    await publish(two);
    assert.equal(
      await desk.file(path),
      `${LONG.replace("First body", "In the second tab. First body")}In the first tab.`,
    );
    await one.getByText(/changed the live page/).waitFor();
  });

  it("brings back what each of two closed tabs could not save", async () => {
    const path = await desk.seed("both", LONG);
    const one = await desk.open(path);
    const context = one.context();
    const two = await context.newPage();
    await two.goto(`/admin/edit/${path}`);
    await two.locator(".cm-content").waitFor();
    await context.route("**/admin/api/drafts/**", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await textOf(two).click();
    await two.keyboard.press("Control+Home");
    await two.keyboard.type("Of the second tab. ");
    await typeAtEnd(one, "Of the first tab.");
    await until(async () => {
      const texts = await localTexts(one);
      return texts.includes("Of the first tab.") && texts.includes("Of the second tab.");
    });
    await Promise.all([one.close(), two.close()]);
    await context.unroute("**/admin/api/drafts/**");
    const back = await context.newPage();
    for (const text of ["Of the first tab.", "Of the second tab."]) {
      await back.goto(`/admin/edit/${path}`);
      await back.getByText("Text that could not be saved on your last visit is back.").waitFor();
      await textOf(back).getByText(text).waitFor();
      await saved(back);
    }
    await publish(back);
    assert.equal(
      await desk.file(path),
      `${LONG.replace("First body", "Of the second tab. First body")}Of the first tab.`,
    );
  });

  it("merges separate edits of two people, and says so", async () => {
    const path = await desk.seed("two", LONG);
    const [one, two] = [await desk.open(path), await desk.open(path)];
    await typeAtEnd(one, "End by one.");
    await saved(one);
    await textOf(two).click();
    await two.keyboard.press("Control+Home");
    await two.keyboard.type("Start by two. ");
    await saved(two);
    await two.getByText(/Changes of another person were merged/).waitFor();
    assert.match(await shownText(two), /^Start by two\. First.*End by one\.$/);
  });

  it("shows both texts of overlapping edits and takes the merged one", async () => {
    const path = await desk.seed("overlap");
    const [one, two] = [await desk.open(path), await desk.open(path)];
    await typeAtEnd(one, "By one.");
    await saved(one);
    await typeAtEnd(two, "By two.");
    const dialog = two.getByRole("dialog", { name: "Two versions of this page" });
    await dialog.getByText("Both texts as a whole").click();
    const whole = dialog.getByRole("region", { name: "The other version, as a whole" });
    await whole.getByText("By one.").waitFor();
    assert.doesNotMatch((await dialog.textContent()) ?? "", /<{7}|={7}|>{7}/);
    assert.match((await dialog.textContent()) ?? "", /The working copy was saved by someone else/);
    const save = dialog.getByRole("button", { name: "Save" });
    assert.ok(await save.isDisabled());
    await dialog.getByText("Choose for each field and place first.").waitFor();
    await dialog.getByLabel("Take both").check();
    assert.equal(
      await dialog.getByLabel("Merged text").inputValue(),
      "First body.\nBy two.\nBy one.",
    );
    await dialog.getByLabel("Merged text").fill("First body.\nBy one. By two.\n");
    await save.click();
    await saved(two);
    await publish(two);
    assert.equal(await desk.file(path), `${ORIGINAL}By one. By two.\n`);
  });

  it("merges a file that changed on disk or by Git, and shows both texts of the same lines", async () => {
    const path = await desk.seed("disk");
    const page = await desk.open(path);
    await typeAtEnd(page, "From the panel.");
    await saved(page);
    const changed = ORIGINAL.replace("[a]", "[a, disk]");
    await desk.seed("disk", changed);
    await page.getByText(/was changed on disk or by Git/).waitFor();
    await publish(page);
    assert.equal(await desk.file(path), `${changed}From the panel.`);

    await typeAtEnd(page, " Mine.");
    await saved(page);
    await desk.seed("disk", `${changed}From the checkout.`);
    await page.getByRole("button", { name: /^Publish/ }).click();
    const dialog = page.getByRole("dialog", { name: "Two versions of this page" });
    await dialog.getByLabel("Take theirs").check();
    await dialog.getByLabel("Merged text").fill("First body.\nFrom both.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), `${changed}From both.`);
  });

  it("refuses a paste that is too large, and keeps it on the screen", async () => {
    const path = await desk.seed("paste");
    const page = await desk.open(path);
    await textOf(page).click();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "many words ".repeat(900_000));
      const target = document.querySelector(".cm-content");
      target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await page.getByText(/^Not saved: /).waitFor({ timeout: 60_000 });
    assert.equal(await desk.file(path), ORIGINAL);
    await page.keyboard.press("Control+z");
    await page.getByText("No unpublished changes").waitFor({ timeout: 60_000 });
    assert.match(await shownText(page), /^First body\.$/);
  });

  it("takes a picture of 40 MB, says why a larger file is refused, and makes hostile names plain", async () => {
    const path = await desk.seed("pictures");
    const page = await desk.open(path);
    const raw = { width: 3_700, height: 3_700, channels: 3 } as const;
    const noise = sharp(randomBytes(3_700 * 3_700 * 3), { raw });
    await site.write("large.png", await noise.png({ compressionLevel: 0 }).toBuffer());
    await site.write("huge.png", Buffer.alloc(51 * 1_048_576));
    const choose = async (files: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0]) => {
      await page.getByRole("button", { name: "Picture" }).click();
      await page.getByLabel("Upload pictures").setInputFiles(files);
    };
    await textOf(page).click();
    await page.keyboard.press("Control+End");
    await choose([join(root, "large.png"), join(root, "huge.png")]);
    await page.getByText(/huge\.png was not uploaded: .*51\.0/).waitFor({ timeout: 60_000 });
    await page.getByText("One file was uploaded.").waitFor({ timeout: 60_000 });
    const buffer = await picture(8, 8);
    const names = ["](javascript:alert(1)) <b onclick=x>.png", "../../../etc/船 (1).png"];
    await choose(names.map((name) => ({ name, mimeType: "image/png", buffer })));
    await page.getByText("2 files were uploaded.").waitFor();
    await saved(page);
    await publish(page);
    const text = await desk.file(path);
    assert.match(text, /!\[\]\(large\.png\)/);
    assert.doesNotMatch(text, /javascript:|<b|\.\.\//);
    const html = await (await site.fetch("/blog/pictures")).text();
    assert.doesNotMatch(html, /javascript:alert|onclick=x/);
    const stored = await readdir(join(root, "content/02.blog/pictures"));
    assert.ok(
      stored.some((name) => name.includes("船")),
      stored.join(),
    );
    assert.ok(
      stored.every((name) => !/[<>()\\\s]/.test(name)),
      stored.join(),
    );
  });

  it("shows the new form when a page type changes while its form is open", async () => {
    const path = "02.blog/typed/note.md";
    await site.write(`content/${path}`, "---\ntitle: Typed\nmood: calm\n---\nText.\n");
    await site.site.use("content").refresh([path]);
    const page = await desk.open(path);
    await page.getByLabel("Mood").waitFor();
    const place = "  place: { type: text, label: Place, required: true }\n";
    await site.write("blueprints/note.yaml", NOTE + place);
    const types = async (): Promise<string> =>
      JSON.stringify(await admin.json(200, "GET", "/admin/api/page-types"));
    await until(async () => (await types()).includes("Place"));
    await page.getByLabel("Mood").fill("wild");
    await saved(page);
    await page.getByRole("button", { name: /^Publish/ }).click();
    const field = page.getByRole("textbox", { name: /^Place/ });
    await field.waitFor();
    assert.match(await desk.file(path), /mood: calm/);
    await field.fill("Pier");
    await saved(page);
    await publish(page);
    assert.equal(await desk.file(path), "---\ntitle: Typed\nmood: wild\nplace: Pier\n---\nText.\n");
  });
});
