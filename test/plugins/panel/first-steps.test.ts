import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { client, type AdminSite } from "../../support/sites/admin-site.js";
import { assertAccessible, bootPanel } from "../../support/browsers/panel-browser.js";
import { useChromium } from "../../support/services.js";

const next = "a better horse battery 2";

describe("the first steps", () => {
  let browser: Browser;
  let site: AdminSite;
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    site = await bootPanel();
  });
  afterEach(() => site.close());

  const passwordFile = () => join(site.root, ".dune/admin/initial-admin-password");
  async function signIn(page: Page, username: string, word: string): Promise<void> {
    await page.goto("/admin/login");
    await page.getByLabel("Username or e-mail address").fill(username);
    await page.getByLabel("Password", { exact: true }).fill(word);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
  }

  it("lead from the initial password to the first page, and end by themselves", async () => {
    const context = await browser.newContext({
      baseURL: site.url,
      locale: "en-GB",
      bypassCSP: true,
    });
    const page = await context.newPage();
    const initial = (await readFile(passwordFile(), "utf8")).trim();
    await signIn(page, "admin", initial);
    const guide = page.getByRole("region", { name: "First steps" });
    await guide.getByRole("link").first().waitFor();
    assert.equal(await guide.getByRole("link").count(), 3);
    await assertAccessible(page, "first-steps");

    await guide.getByRole("link", { name: "Change the initial password" }).press("Enter");
    const card = page.getByRole("region", { name: "Password" });
    await card.getByLabel("Current password").fill(initial);
    await card.getByLabel("New password", { exact: true }).fill(next);
    await card.getByLabel("New password again").fill(next);
    await card.getByRole("button", { name: "Change password" }).press("Enter");
    await page.getByText("Your password was changed.").waitFor();
    await assert.rejects(access(passwordFile()), "the file of the former password is gone");

    await page.goto("/admin");
    await guide.getByRole("link", { name: "Name the site" }).press("Enter");
    await page.getByLabel("Name", { exact: true }).first().fill("Harbour");
    await page.getByRole("button", { name: "Save" }).first().press("Enter");
    await page.getByText("The settings were saved.").waitFor();
    await page.goto("/admin");
    await guide.getByText("Done: Name the site").waitFor();
    await guide.getByRole("link", { name: "Write the first page" }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Hello");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.waitForURL("**/admin/edit/**");
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Recently changed" }).waitFor();
    assert.equal(await guide.count(), 0);
    await context.close();
  });

  it("are hidden for good by an account, for that account alone", async () => {
    const author = await site.as("author");
    const { steps } = await author.json(200, "GET", "/admin/api/me/first-steps");
    assert.deepEqual(steps, [{ name: "page", done: false }]);
    await author.json(200, "DELETE", "/admin/api/me/first-steps");
    const hidden = await author.json(200, "GET", "/admin/api/me/first-steps");
    assert.deepEqual(hidden, { dismissed: true, steps: [] });
    const editor = await site.as("editor");
    const other = await editor.json(200, "GET", "/admin/api/me/first-steps");
    assert.equal(other.dismissed, false);
    const token = { name: "t", permissions: ["pages.read"], userId: author.id, expiresAt: null };
    const { secret } = await site.site.use("admin").tokens.create(token);
    const program = client(site, { id: "", cookie: "", csrf: "", bearer: secret });
    await program.json(403, "GET", "/admin/api/me/first-steps");
  });

  it("keep a file whose password is another one", async () => {
    const before = await readFile(passwordFile(), "utf8");
    const author = await site.as("author");
    await author.json(200, "POST", "/admin/api/me/password", {
      current: "correct horse battery",
      next,
    });
    assert.equal(await readFile(passwordFile(), "utf8"), before);
  });
});
