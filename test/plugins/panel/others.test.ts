import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { deferred } from "../../support/deferred.js";
import { until } from "../../support/until.js";
import { useChromium } from "../../support/services.js";
import { usePanel } from "../../support/browsers/panel-desk.js";

const FIRST = "02.blog/01.first/post.md";

describe("the panel with several people", () => {
  const desk = usePanel(useChromium);
  const open = (username: string, path = `/edit/${FIRST}`): Promise<Page> =>
    desk.open({ path, username });

  it("names who else has the page open, and who has left", async () => {
    const one = await open("one");
    await one.locator(".cm-content").waitFor();
    const two = await open("two");
    await two.getByText("one has this page open too.").waitFor();
    await one.getByText("two has this page open too.").waitFor();
    await two.goto("/admin/pages");
    await one.getByText("two has this page open too.").waitFor({ state: "detached" });
  });

  it("shows a file that changed on disk when nothing was typed, also before the stream of events is open", async () => {
    const page = await open("one", "/account");
    const released = deferred<void>();
    await page.route("**/admin/api/events?*", async (route) => {
      await released.promise;
      await route.continue();
    });
    const asked = page.waitForRequest("**/admin/api/events?*");
    await page.goto(`/admin/edit/${FIRST}`);
    await page.locator(".cm-content").waitFor();
    await asked;
    const change = async (text: string): Promise<void> => {
      writeFileSync(join(desk.site.root, "content", FIRST), `---\ntitle: First\n---\n${text}\n`);
      await desk.site.site.use("content").refresh([FIRST]);
    };
    await change("From the disk.");
    released.resolve();
    await page.getByText("The live page was changed on disk or by Git.").waitFor();
    await page.locator(".cm-content").getByText("From the disk.").waitFor();
    await change("And again.");
    await page.locator(".cm-content").getByText("And again.").waitFor();
  });

  it("keeps typed text when another person publishes, and says so", async () => {
    const page = await open("one");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Mine.");
    const other = await desk.site.as("admin", { username: "seed" });
    await other.json(200, "PUT", `/admin/api/pages/${FIRST}`, { frontmatter: { tags: ["b"] } });
    await page.getByText("seed changed the live page.").waitFor();
    await page.locator(".cm-content").getByText("Mine.").waitFor();
    await page.getByText("Unpublished changes, saved").waitFor();
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("Published.", { exact: true }).waitFor();
    const { raw } = await other.json(200, "GET", `/admin/api/pages/${FIRST}`);
    assert.match(raw, /b/);
    assert.match(raw, /Mine\./);
  });

  it("follows a page that moves while it is open, with what was typed", async () => {
    const page = await open("one", "/edit/02.blog/02.second/post.md");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Kept before.");
    await page.getByText("Unpublished changes, saved").waitFor();
    const other = await desk.site.as("admin", { username: "seed" });
    const move = { path: "02.blog/02.second", target: "02.blog/01.first/post.md" };
    const [path, target] = [`${move.path}/post.md`, move.target];
    const { moves } = await other.json(200, "POST", "/admin/api/pages/reorder", {
      path,
      target,
      position: "before",
    });
    assert.notEqual(moves.length, 0);
    await page.getByText("This page moved.").waitFor();
    await page.waitForURL("**/admin/edit/02.blog/01.second/post.md");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Kept after.");
    await until(async () => {
      const { items } = await other.json(200, "GET", "/admin/api/drafts");
      const [copy] = items as { sourcePath: string }[];
      assert.deepEqual(
        items.map(({ sourcePath }: { sourcePath: string }) => sourcePath),
        ["02.blog/01.second/post.md"],
      );
      const { content } = await other.json(200, "GET", `/admin/api/drafts/${copy?.sourcePath}`);
      return content.includes("Kept before. Kept after.");
    });
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByText("Published.", { exact: true }).waitFor();
    await page.goto("/admin/edit/02.blog/02.second/post.md");
    await page.waitForURL("**/admin/edit/02.blog/01.second/post.md");
    await page.locator(".cm-content").getByText("Kept before. Kept after.").waitFor();
  });

  it("shows new pages in the list without loading it again", async () => {
    const page = await open("one", "/pages");
    await page.getByRole("link", { name: "Second" }).waitFor();
    const other = await desk.site.as("admin", { username: "seed" });
    const content = "---\ntitle: Fresh\n---\nNew.\n";
    await other.json(201, "POST", "/admin/api/pages", {
      path: "02.blog/03.fresh/post.md",
      content,
    });
    await page.getByRole("link", { name: "Fresh" }).waitFor();
  });
});
