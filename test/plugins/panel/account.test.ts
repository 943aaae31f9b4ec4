import assert from "node:assert/strict";
import { cookieOf, password, postLogin } from "../../support/sites/admin-site.js";
import { assertAccessible } from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

describe("the panel's own account, trash and bulk actions", () => {
  const desk = usePanel(useChromium);
  const { open } = desk;

  it("changes the own name and password, and signs in with the new one", async () => {
    const page = await open({ role: "author", username: "ada", path: "/account" });
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your account was changed.").waitFor();
    const card = page.getByRole("region", { name: "Password" });
    await card.getByLabel("Current password").fill("not this one");
    await card.getByLabel("New password", { exact: true }).fill("a better horse battery");
    await card.getByLabel("New password again").fill("a better horse battery");
    await card.getByRole("button", { name: "Change password" }).click();
    await card.getByRole("alert").waitFor();
    await card.getByLabel("Current password").fill(password);
    await card.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password was changed.").waitFor();
    const answer = await postLogin(desk.site, {
      username: "ada",
      password: "a better horse battery",
    });
    assert.equal(answer.status, 200);
  });

  it("signs out other browsers", async () => {
    const page = await open({ role: "author", username: "ada", path: "/account" });
    const login = await postLogin(
      desk.site,
      { username: "ada", password },
      { "user-agent": "Other" },
    );
    await page.reload();
    await page.getByRole("button", { name: "Sign out all others" }).click();
    await page.getByText("Signed out.", { exact: true }).waitFor();
    const answer = await desk.site.fetch("/admin/api/session", {
      headers: { cookie: cookieOf(login) },
    });
    assert.equal(answer.status, 401);
  });

  it("tags many pages at once, and moves them to the trash and back", async () => {
    const page = await open({ path: "/pages" });
    for (const title of ["First", "Second"]) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole("button", { name: "Add tag …" }).click();
    await page.getByLabel("Tag", { exact: true }).fill("harbour");
    await page.getByRole("dialog").getByRole("button", { name: "Add tag" }).click();
    await page.getByText("2 pages were changed.").waitFor();
    const admin = await desk.site.as("admin", { username: "reader" });
    const { frontmatter } = await admin.json(
      200,
      "GET",
      "/admin/api/pages/02.blog/01.first/post.md",
    );
    assert.match(JSON.stringify(frontmatter), /harbour/);
    await page.getByLabel("Select First").check();
    await page.getByRole("button", { name: "Move to trash", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("One page was moved to the trash.").waitFor();
    assert.equal((await desk.site.fetch("/blog/first")).status, 404);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByLabel("Select First").check();
    assert.equal((await desk.site.fetch("/blog/first")).status, 200);
    await page.getByRole("button", { name: "Move to trash", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("button", { name: "Restore First" }).click();
    await page.getByText("First is back.").waitFor();
    assert.equal((await desk.site.fetch("/blog/first")).status, 200);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const admin = await desk.site.as("admin", { username: "deleter" });
      await admin.json(200, "DELETE", "/admin/api/pages/02.blog/01.first/post.md");
      const viewport = { width, height: 900 };
      const page = await open({ colorScheme, viewport, bypassCSP: true, path: "/account" });
      await page.getByText("This browser").waitFor();
      await assertAccessible(page, `account-${colorScheme}-${width}`);
      await page.goto("/admin/trash");
      await page.getByRole("button", { name: "Restore First" }).waitFor();
      await assertAccessible(page, `trash-${colorScheme}-${width}`);
    });
  }
});
