import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { checkAccessible, openPanel, panelPlugins } from "../../support/browsers/panel-browser.js";
import { useChromium } from "../../support/services.js";
import { bootForms, typed, type FormSite } from "../forms/form-site.js";

const plugins = [...panelPlugins, "forms", "comments", "email", "outbound"];
const files = {
  "content/05.post/post.md": "---\ntitle: Post\ndate: 2026-01-01\ncomments: true\n---\nText.\n",
};
const VIEWS = [
  { width: 1280, colorScheme: "light", locale: "en-GB", direction: "ltr" },
  { width: 390, colorScheme: "dark", locale: "de-DE", direction: "ltr" },
  { width: 390, colorScheme: "light", locale: "en-GB", direction: "rtl" },
] as const;

describe("screens of plugins in the panel", () => {
  let browser: Browser;
  let site: FormSite;
  before(async function () {
    browser = await useChromium(this);
    site = await bootForms({ plugins, files, settings: { site: { comments: {} } } });
    const formToken = await site.token();
    const commentToken = await site.token("/post");
    site.wait(5);
    const sent = await site.post({ ...typed, _token: formToken });
    assert.equal(sent.status, 303);
    const body = new URLSearchParams({ route: "/post", name: "Ada", text: "Hello" });
    body.set("_token", commentToken);
    assert.equal((await site.fetch("/api/comments", { method: "POST", body })).status, 303);
  });
  after(() => site.close());

  for (const { width, colorScheme, locale, direction } of VIEWS) {
    it(`are accessible at ${width} pixels, ${colorScheme}, ${locale}, ${direction}`, async () => {
      const view = { viewport: { width, height: 900 }, colorScheme, locale, bypassCSP: true };
      const username = `reader-${width}-${direction}`;
      const shown = { ...view, username, path: "/plugins/forms" };
      const { page, close } = await openPanel(browser, site, shown);
      const check = async (name: string): Promise<void> => {
        await page.evaluate(`document.documentElement.dir = "${direction}"`);
        await checkAccessible(page, `plugin-${name}-${width}-${colorScheme}-${direction}`);
      };
      await page.getByRole("link", { name: /^(Contact|Kontakt)$/ }).waitFor();
      await check("forms");
      await page.getByRole("link", { name: /^(Contact|Kontakt)$/ }).click();
      await page.getByText(/^(One submission|Ein Eingang)$/).waitFor();
      await check("submissions");
      await page.getByRole("link", { name: /^(Open the submission|Eingang vom)/ }).click();
      await page.getByText("ada@example.org").waitFor();
      await check("submission");
      await page.goto("/admin/plugins/comments");
      await page.getByText(/^(One comment|Ein Kommentar)$/).waitFor();
      await check("comments");
      await close();
    });
  }

  it("approve a comment, which leaves the list of pending ones", async () => {
    const shown = { username: "moderator", path: "/plugins/comments" };
    const { page, close } = await openPanel(browser, site, shown);
    await page.getByRole("button", { name: "Approve: comment of Ada" }).click();
    await page.getByText("There are no comments.").waitFor();
    await page.getByLabel("Status").selectOption("approved");
    await page.getByText("One comment", { exact: true }).waitFor();
    await close();
  });
});
