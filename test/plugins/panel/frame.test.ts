import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { AdminSite } from "../../support/sites/admin-site.js";
import { bootPanel } from "../../support/browsers/panel-browser.js";
import {
  EditorDesk,
  publish,
  saved,
  textOf,
  typeAtEnd,
} from "../../support/browsers/panel-editor.js";
import { textOf as sourceOf, filesOf } from "../../support/repository.js";
import { useChromium } from "../../support/services.js";

/** The label of the control with the focus. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  return one?.getAttribute("aria-label") ?? one?.closest("label")?.firstChild?.textContent ?? one?.textContent;
})()`;
const focused = (page: Page): Promise<string> => page.evaluate<string>(FOCUSED);

describe("the frame around the panel's screens", () => {
  let browser: Browser;
  let site: AdminSite;
  let desk: EditorDesk;
  before(async function () {
    browser = await useChromium(this);
    site = await bootPanel({
      settings: { system: { languages: { supported: ["en", "de"], default: "en" } } },
    });
    desk = new EditorDesk(browser, () => site);
  });
  afterEach(() => desk.clear());
  after(() => site.close());

  describe("a dialog", () => {
    it("is made in one place", () => {
      const makers = filesOf("plugins/panel/client/**/*.tsx").filter((file) =>
        /<dialog\b|\.showModal\(/.test(sourceOf(file)),
      );
      assert.deepEqual(makers, ["plugins/panel/client/parts/dialog.tsx"]);
    });

    it("begins in its first field, so that one types at once", async () => {
      const page = await desk.open(await desk.seed("dialogs"));
      await textOf(page).click();
      await page.keyboard.press("Control+Shift+K");
      const link = page.getByRole("dialog", { name: "Insert a link" });
      await link.waitFor();
      await page.keyboard.type("https://example.org/");
      await page.keyboard.press("Enter");
      await link.waitFor({ state: "detached" });
      assert.match((await textOf(page).textContent()) ?? "", /example\.org/);

      await page.goto("/admin/media");
      await page.getByRole("button", { name: "Upload files" }).click();
      await page.getByRole("dialog", { name: "Upload files" }).waitFor();
      assert.equal(await focused(page), "Folder");
    });

    it("without a field begins at its content, not at the button that closes it", async () => {
      const page = await desk.open(await desk.seed("asked"));
      await typeAtEnd(page, " Now.");
      await saved(page);
      await page.locator("summary[aria-label='More actions']").click();
      await page.getByRole("button", { name: "Discard changes …" }).click();
      await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
      assert.equal(await focused(page), "Cancel");
    });

    it("asks for the name and the password when the session has ended", async () => {
      const page = await desk.screen("/pages");
      await page.getByRole("heading", { level: 1, name: "Pages" }).waitFor();
      await page.context().clearCookies();
      await page.getByLabel("Search title or address").fill("a");
      await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
      assert.equal(await focused(page), "Username or e-mail address");
    });
  });

  it("shows light or dark colours as the person chooses, by the menu or the palette", async () => {
    const page = await desk.screen("/pages", { colorScheme: "light" });
    const paper = (): Promise<string> =>
      page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    await page.getByRole("heading", { level: 1, name: "Pages" }).waitFor();
    const light = await paper();
    await page.getByLabel("Colours").selectOption("Dark");
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Pages" }).waitFor();
    assert.equal(await paper(), dark);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("system");
    await page.getByRole("option", { name: "Colours: As the system" }).click();
    assert.equal(await paper(), light);
  });

  it("shows the site's name, all entries and Sign out in a window of 700 pixels", async () => {
    const page = await desk.screen("/pages", { viewport: { width: 1280, height: 700 } });
    const menu = page.getByRole("navigation", { name: "Menu" });
    const boxOf = async (part: string) => {
      const box = await menu.locator(part).boundingBox();
      assert.ok(box !== null, part);
      return box;
    };
    const [brand, search] = [await boxOf(".brand"), await boxOf(".search-button")];
    assert.ok(brand.height > 30 && brand.y + brand.height <= search.y, JSON.stringify(brand));
    const out = await menu.getByRole("button", { name: "Sign out" }).boundingBox();
    assert.ok(out !== null && out.y + out.height <= 700, JSON.stringify(out));
    const entries = menu.locator(".menu-entries");
    const hidden = await entries.evaluate((element) => element.scrollHeight - element.clientHeight);
    assert.ok(hidden <= 0, `${hidden} pixels of the entries are hidden`);
    const last = menu.getByRole("link", { name: "Settings" });
    await last.focus();
    const shown = await last.boundingBox();
    assert.ok(shown !== null && shown.y + shown.height <= out.y, JSON.stringify(shown));
  });

  it("leads from an address without a screen to the dashboard", async () => {
    const page = await desk.screen("/plugins/none");
    await page.getByRole("heading", { name: "This screen does not exist" }).waitFor();
    await page.getByRole("link", { name: "Go to the dashboard" }).click();
    await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
    const admin = await site.as("admin");
    assert.equal((await admin.send("GET", "/admin/pages/new")).status, 404);
  });

  it("says that an account has never signed in", async () => {
    const page = await desk.screen("/users");
    await page.getByRole("columnheader", { name: "Last active" }).waitFor();
    assert.ok((await page.getByRole("cell", { name: "Never", exact: true }).count()) > 0);
  });

  it("offers no restoring of the version that is live", async () => {
    const page = await desk.open(await desk.seed("versions"));
    await typeAtEnd(page, "Now.");
    await saved(page);
    await publish(page);
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".revision").first().click();
    const dialog = page.getByRole("dialog", { name: /^Version of/ });
    await dialog.getByText("This version equals the live page.").waitFor();
    assert.equal(await dialog.getByRole("button", { name: /Restore/ }).count(), 0);
  });

  it("opens at its address with a trailing slash", async () => {
    const page = await desk.screen("/");
    await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
    const admin = await site.as("admin", { username: "slash" });
    for (const [from, to] of [
      ["/admin/?new=1", "/admin?new=1"],
      ["/admin/pages/", "/admin/pages"],
    ] as const) {
      const answer = await admin.send("GET", from);
      assert.equal(answer.status, 301, from);
      assert.equal(answer.headers.get("location"), to);
    }
  });

  describe("the editor's head", () => {
    it("shows each badge of a page in a narrow window", async () => {
      const times = "publish_date: 2020-01-01\nunpublish_date: 2031-05-01T08:00:00Z\n";
      const path = await desk.seed("head-badges", `---\ntitle: Twice\n${times}---\nText.\n`);
      const page = await desk.open(path, { viewport: { width: 390, height: 844 } });
      const badges = page.locator(".save-line .badge");
      await badges.nth(1).waitFor();
      for (const badge of await badges.all()) {
        const { width = 0 } = (await badge.boundingBox()) ?? {};
        assert.ok(width > 40, (await badge.textContent()) ?? "");
      }
    });

    for (const width of [360, 390, 768, 1_105, 1_280, 1_601, 2_560]) {
      it(`keeps its height and its buttons in their places at ${width} pixels`, async () => {
        for (const locale of ["en-GB", "de-DE"]) {
          const path = await desk.seed(`head-${width}-${locale.slice(0, 2)}`);
          const page = await desk.open(path, { viewport: { width, height: 900 }, locale });
          const head = page.locator(".editor-head");
          const publish = head.locator(".publication button.primary");
          const languages = head.locator(":scope > .more");
          await publish.waitFor();
          await languages.waitFor();
          const places = async () =>
            Promise.all(
              [head, head.locator(".panes"), publish, languages].map((one) => one.boundingBox()),
            );
          const before = await places();
          const ends = before.map((box) => (box === null ? Infinity : box.x + box.width));
          assert.ok(Math.max(...ends) <= width, `${locale}: ${String(ends)}`);
          assert.ok((before[0]?.height ?? Infinity) <= (width > 1_104 ? 56 : 96));
          await page.route("**/admin/api/drafts/**", (route) =>
            route.fulfill({ status: 503, json: { error: "a long reason ".repeat(8) } }),
          );
          await page.locator(".cm-content").click();
          await page.keyboard.type("More.");
          await page.locator(".save-line .field-error").waitFor();
          assert.deepEqual(await places(), before, locale);
          const problem = await page.locator(".save-line .field-error").boundingBox();
          assert.ok(problem !== null && problem.x >= 0 && problem.x + problem.width <= width);
          assert.ok(problem.y >= 0 && problem.y + problem.height <= 900);
        }
      });
    }
  });
});
