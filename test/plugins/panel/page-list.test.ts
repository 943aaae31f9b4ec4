import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { assertAccessible, bootPanel } from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { VIEWS } from "../../support/browsers/views.js";

const tagged = (title: string, tags: string) =>
  `---\ntitle: ${title}\nauthor: Ines\ntaxonomy: { tag: [${tags}] }\n---\n${title}.\n`;
const files = {
  "content/02.blog/10.apple/post.md": tagged("Apple", "tea"),
  "content/02.blog/11.zebra/post.md": tagged("Zebra", "tea, sea"),
};

describe("the panel's list of pages", () => {
  const desk = usePanel(useChromium, () => bootPanel({ files }));
  const titles = (page: Page): Promise<string[]> => page.locator("a.page-link").allInnerTexts();

  it("is sorted by a column in both directions, and filtered by tag and author", async () => {
    const page = await desk.open({ path: "/pages" });
    await page.getByRole("button", { name: "Page", exact: true }).click();
    const head = page.locator("th[aria-sort=ascending]");
    await head.waitFor();
    const up = await titles(page);
    assert.equal(up[0], "Apple");
    await head.getByRole("button").click();
    await page.locator("th[aria-sort=descending]").waitFor();
    await page.getByRole("row").nth(1).getByRole("link", { name: "Zebra" }).waitFor();
    await page.getByLabel("Tag", { exact: true }).selectOption("sea (1)");
    await page.getByText("One page", { exact: true }).waitFor();
    assert.deepEqual(await titles(page), ["Zebra"]);
    await page.getByLabel("Tag", { exact: true }).selectOption("Any tag");
    await page.getByLabel("Author").selectOption("Ines (2)");
    await page.getByText("2 pages", { exact: true }).waitFor();
  });

  it("removes a tag from many pages, with the tags of the site as suggestions", async () => {
    const page = await desk.open({ path: "/pages?tag=tea" });
    await page.getByText("2 pages", { exact: true }).waitFor();
    await page.getByLabel("Select all pages of this list").check();
    await page.getByRole("button", { name: "Remove tag …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("datalist option").first().waitFor({ state: "attached" });
    const known = await page.evaluate<string[]>(
      "[...document.querySelectorAll('datalist option')].map(({ value }) => value)",
    );
    assert.deepEqual(known, ["tea", "sea"]);
    await dialog.getByLabel("Tag").fill("tea");
    await dialog.getByRole("button", { name: "Remove tag" }).click();
    await page.getByText("2 pages were changed.").waitFor();
    const { entries } = desk.site.site.use("content").generation();
    assert.deepEqual(
      entries.filter(({ taxonomy }) => taxonomy["tag"]?.includes("tea") === true),
      [],
    );
  });

  it("moves many pages below another one, and says which stay where they are and why", async () => {
    const { site } = desk.site;
    await desk.site.write("content/05.archive/default.md", "---\ntitle: Archive\n---\n");
    await desk.site.write("content/05.archive/apple/post.md", "---\ntitle: Old apple\n---\n");
    await site.use("content").rebuild();
    const page = await desk.open({ path: "/pages?author=Ines" });
    await page.getByText("2 pages", { exact: true }).waitFor();
    await page.getByLabel("Select all pages of this list").check();
    await page.getByRole("button", { name: "Move …" }).click();
    const dialog = page.getByRole("dialog", { name: "Move 2 pages" });
    await dialog.getByLabel("Search for a page").fill("archi");
    await dialog.getByRole("radio", { name: "Archive" }).check();
    await dialog.getByText("Chosen: Archive").waitFor();
    await assertAccessible(page, "page-list-move");
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    const failures = page.getByRole("dialog", { name: "One page was not changed" });
    await failures.getByText('There is a page at "/archive/apple" already.').waitFor();
    await failures.getByRole("link", { name: "Apple" }).waitFor();
    await failures.getByText("Close", { exact: true }).click();
    await page.getByText("One page was changed.").waitFor();
    await page.getByText("One page selected").waitFor();
    const zebra = site.use("content").generation().at("/archive/zebra", "en");
    assert.equal(zebra?.title, "Zebra");
  });

  it("plans and gives a type to many pages", async () => {
    await desk.site.write("blueprints/note.yaml", "title: Note\nfields: {}\n");
    await until(() => desk.site.site.use("content").blueprints.of("note") !== undefined);
    const page = await desk.open({ path: "/pages?author=Ines" });
    await page.getByText("2 pages", { exact: true }).waitFor();
    const select = () => page.getByLabel("Select all pages of this list").check();
    await select();
    await page.getByRole("button", { name: "Page type …" }).click();
    const types = page.getByRole("dialog", { name: "Change the type of 2 pages" });
    await types.getByLabel("Page type").selectOption("Note");
    await types.getByRole("button", { name: "Change type" }).click();
    await page.getByText("2 pages were changed.").waitFor();
    await select();
    await page.getByRole("button", { name: "Schedule …" }).click();
    const plan = page.getByRole("dialog", { name: "Schedule 2 pages" });
    await plan.getByLabel("What happens then").selectOption("Withdraw from the site");
    await plan.getByLabel("Date and time").fill("2099-05-06T07:30");
    await plan.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByText("2 pages were changed.").nth(1).waitFor();
    const { entries } = desk.site.site.use("content").generation();
    const changed = entries.filter(
      ({ template, unpublishAt }) => template === "note" && unpublishAt,
    );
    assert.equal(changed.length, 2);
  });

  it("duplicates a page from the menu of its row", async () => {
    const page = await desk.open({ path: "/pages?author=Ines" });
    await page.getByLabel("Actions for Zebra").click();
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: /zebra-copy/ }).waitFor();
    const copy = desk.site.site.use("content").generation().at("/blog/zebra-copy", "en");
    assert.equal(copy?.title, "Zebra (copy)");
    assert.equal(copy?.status, "draft");
    await page.getByLabel("More actions").click();
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: /zebra-copy-copy/ }).waitFor();
    await page.getByText("This is the copy. It is a draft.").waitFor();
  });

  it("shows a page as visitors see it, or its preview, from the menu of its row", async () => {
    const ines = await desk.site.as("editor", { username: "ines" });
    const content = "---\ntitle: Second\nstatus: draft\n---\nNot published yet.\n";
    await ines.json(201, "PUT", "/admin/api/drafts/02.blog/02.second/post.md", { content });
    for (const view of ["", "?view=tree"]) {
      const page = await desk.open({ path: `/pages${view}`, username: `ed${view.length}` });
      if (view !== "") await page.getByRole("button", { name: "Show pages below Blog" }).click();
      const open = async (title: string, entry: Locator): Promise<string> => {
        await page.getByText(title, { exact: true }).hover();
        await page.getByLabel(`Actions for ${title}`).click();
        const window = page.waitForEvent("popup");
        await entry.click();
        const shown = await window;
        await shown.waitForLoadState();
        const text = await shown.locator("main").innerText();
        await shown.close();
        return text;
      };
      const visit = page.getByRole("link", { name: "View on the site" });
      assert.match(await open("Apple", visit), /Apple\./);
      const preview = page.getByRole("button", { name: "Preview" });
      assert.match(await open("Second", preview), /Not\spublished\syet\./);
    }
  });

  for (const view of ["list", "tree"]) {
    it(`moves a page to the trash from the menu of its row, and back (${view})`, async () => {
      const link = "---\ntitle: Links\n---\n[x](/blog/zebra)\n";
      await desk.site.write("content/03.links/default.md", link);
      const { site } = desk.site;
      await site.use("content").rebuild();
      const page = await desk.open({ path: view === "tree" ? "/pages?view=tree" : "/pages" });
      if (view === "tree")
        await page.getByRole("button", { name: /Show pages below Blog/ }).click();
      const row = page.getByRole("link", { name: "Zebra", exact: true });
      await row.hover();
      await page.getByLabel("Actions for Zebra").click();
      await page.getByRole("button", { name: "Move to trash …" }).click();
      const dialog = page.getByRole("dialog", { name: "Move this page to the trash?" });
      await dialog.getByText("03.links/default.md").waitFor();
      await assertAccessible(page, `page-list-trash-${view}`);
      await dialog.getByRole("button", { name: "Move to trash" }).click();
      await page.getByText("One page was moved to the trash.").waitFor();
      await row.waitFor({ state: "detached" });
      assert.equal(site.use("content").generation().at("/blog/zebra", "en"), undefined);
      await page.getByRole("button", { name: "Undo" }).click();
      await row.waitFor();
      assert.equal(site.use("content").generation().at("/blog/zebra", "en")?.title, "Zebra");
    });
  }

  it("keeps the badges and the menu of a row in a narrow window", async () => {
    const times = "publish_date: 2020-01-01\nunpublish_date: 2031-05-01T08:00:00Z\n";
    const text = `---\ntitle: Until spring\n${times}---\nText.\n`;
    await desk.site.write("content/02.blog/30.going/post.md", text);
    await desk.site.site.use("content").rebuild();
    const viewport = { width: 390, height: 844 };
    const page = await desk.open({ path: "/pages?q=Until", viewport });
    const row = page.getByRole("row").filter({ hasText: "Until spring" });
    await row.getByText("Published", { exact: true }).waitFor();
    for (const part of [row.getByText(/^Withdrawn on/), row.locator("summary")]) {
      const { x = Infinity, width = 0 } = (await part.boundingBox()) ?? {};
      assert.ok(x + width <= 390, `${x} ${width}`);
    }
  });

  it("changes the address of a page that has a slug, in its front matter", async () => {
    const { site } = desk.site;
    const text = "---\ntitle: Slug\nslug: short # ours\n---\nText.\n";
    await desk.site.write("content/02.blog/20.long/post.md", text);
    await site.use("content").rebuild();
    const page = await desk.open({ path: "/edit/02.blog/20.long/post.md" });
    const place = page.locator(".page-place");
    await place.getByText("/blog/short").waitFor();
    await place.getByRole("button", { name: "Change …" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Change the address" });
    await dialog.getByLabel("End of the address").fill("brief");
    await dialog.getByText("/blog/brief").waitFor();
    await dialog.getByRole("button", { name: "Change the address" }).click();
    await page.getByText("The page has a new address.").waitFor();
    await place.getByText("/blog/brief").waitFor();
    const source = await site.use("content").source("02.blog/20.long/post.md");
    assert.equal(source?.raw, text.replace("short", "brief"));
    assert.equal(site.use("check").redirects.current["/blog/short"], "/blog/brief");
  });

  it("changes the address and the type of a page in its editor, with a preview", async () => {
    const { site } = desk.site;
    await desk.site.write("content/01.home/links.md", "---\ntitle: Links\n---\n[x](/blog/zebra)\n");
    await site.use("content").rebuild();
    const page = await desk.open({ path: "/edit/02.blog/11.zebra/post.md" });
    const place = page.locator(".page-place");
    await place.getByText("/blog/zebra").waitFor();
    await place.getByRole("button", { name: "Change …" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Change the address" });
    await dialog.getByText("Nothing changes yet.").waitFor();
    await dialog.getByLabel("End of the address").fill("apple");
    await dialog.getByText('There is a page at "/blog/apple" already.').waitFor();
    await dialog.getByLabel("End of the address").fill("horse");
    await dialog.getByText("/blog/horse").waitFor();
    await dialog.getByText("Links in one page are updated.").waitFor();
    await assertAccessible(page, "editor-address");
    await dialog.getByRole("button", { name: "Change the address" }).click();
    await page.getByText("The page has a new address.").waitFor();
    await place.getByText("/blog/horse").waitFor();
    assert.match(page.url(), /\/edit\/02\.blog\/11\.horse\/post\.md/);
    await until(() => site.use("check").redirects.current["/blog/zebra"] === "/blog/horse");
    await place.getByRole("button", { name: "Change …" }).nth(1).click();
    const types = page.getByRole("dialog", { name: "Change the page type" });
    await types.getByLabel("Page type").selectOption("default");
    await types.getByRole("button", { name: "Change the type" }).click();
    await page.getByText("The page has another type.").waitFor();
    assert.match(page.url(), /\/edit\/02\.blog\/11\.horse\/default\.md/);
  });

  it("saves what is filtered, sorted and shown as a view, for one account or for all", async () => {
    const page = await desk.open({ path: "/pages?tag=tea&sort=title&order=desc" });
    await page.getByText("2 pages", { exact: true }).waitFor();
    await page.getByText("Columns", { exact: true }).click();
    await page.getByLabel("Show Date").check();
    await page.getByRole("columnheader", { name: "Date" }).waitFor();
    await page.getByRole("button", { name: "Save view …" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await dialog.getByLabel("Name").fill("Tea, backwards");
    await dialog.getByLabel("For all accounts").check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    const views = page.getByRole("navigation", { name: "Saved views" });
    await views.getByRole("link", { name: "Tea, backwards" }).waitFor();
    await assertAccessible(page, "page-list-views");
    await views.getByRole("link", { name: "All pages" }).click();
    await page.locator("th[aria-sort]").waitFor({ state: "detached" });
    const other = await desk.open({ path: "/pages", role: "author" });
    await other.getByRole("link", { name: "Tea, backwards" }).click();
    await other.getByText("2 pages", { exact: true }).waitFor();
    assert.deepEqual(await titles(other), ["Zebra", "Apple"]);
    await other.getByRole("columnheader", { name: "Date" }).waitFor();
    assert.match(other.url(), /tag=tea&.*sort=title|sort=title.*tag=tea/);
    assert.equal(await other.getByLabel("Actions for the view Tea, backwards").count(), 0);
  });

  for (const { width, colorScheme } of VIEWS) {
    it(`is accessible at ${width} pixels, ${colorScheme}`, async () => {
      const viewport = { width, height: 844 };
      const page = await desk.open({ path: "/pages?sort=title", viewport, colorScheme });
      await page.locator("th[aria-sort]").waitFor();
      await page.getByLabel("Author").waitFor();
      await assertAccessible(page, `page-list-${width}-${colorScheme}`);
    });
  }
});
