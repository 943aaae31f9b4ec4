import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible, bootPanel } from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
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
