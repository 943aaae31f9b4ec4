import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { parse } from "yaml";
import {
  assertAccessible,
  bootPanel,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { publish, textOf } from "../../support/browsers/panel-editor.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

const ADMIN_YAML = `# rights of the roles
roles:
  blogger: # the blog's own
    permissions: [pages.read, pages.update]
    paths: ["blog/**"]
  columnist:
    permissions: [pages.read, pages.create, pages.update, pages.publish, media.upload]
    paths: ["blog/**"]
`;

describe("the panel's roles", () => {
  const desk = usePanel(useChromium, () => bootPanel({ files: { "admin.yaml": ADMIN_YAML } }));
  const open = (options: PanelPageOptions = {}): Promise<Page> =>
    desk.open({ path: "/roles", ...options });
  const stored = async (): Promise<string> => readFile(join(desk.site.root, "admin.yaml"), "utf8");

  it("show permissions and paths, and where they are stored", async () => {
    const page = await open();
    const blogger = page.getByRole("region", { name: "blogger" });
    await blogger.getByText("Change pages").waitFor();
    await blogger.getByText("blog/**").waitFor();
    const [card, title] = await Promise.all([
      blogger.boundingBox(),
      blogger.getByText("Change pages").boundingBox(),
    ]);
    assert.ok(card && title && title.width < card.width / 2, "as wide as its words");
    await page.getByText("stored in admin.yaml, below the key roles").waitFor();
    const editor = page.getByRole("region", { name: "editor" });
    await editor.getByText("The whole site").waitFor();
    assert.equal(await editor.getByRole("button").count(), 0);
  });

  it("are created by keyboard, and say that they need a restart", async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.getByRole("button", { name: "New role" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").focus();
    await page.keyboard.type("painter");
    await dialog.getByLabel("Upload media").focus();
    await page.keyboard.press("Space");
    await dialog.getByLabel("Paths").focus();
    await page.keyboard.type("/abs");
    await dialog.getByRole("button", { name: "Save" }).focus();
    await page.keyboard.press("Enter");
    // The configuration's own message.
    await dialog.getByText(/admin.yaml: roles.painter.paths\[0\]: expected a pattern/).waitFor();
    await dialog.getByLabel("Paths").fill("gallery/**");
    await dialog.getByRole("button", { name: "Save" }).focus();
    await page.keyboard.press("Enter");
    const painter = page.getByRole("region", { name: "painter" });
    await painter.getByText("New after a restart").waitFor();
    const yaml = parse(await stored());
    assert.deepEqual(yaml.roles.painter, { permissions: ["media.upload"], paths: ["gallery/**"] });
    assert.ok((await stored()).startsWith("# rights of the roles\n"));
  });

  it("are changed and deleted, with the comments of the file kept", async () => {
    const page = await open();
    const dialog = page.getByRole("dialog");
    const blogger = page.getByRole("region", { name: "blogger" });
    await blogger.getByRole("button", { name: "Change blogger" }).click();
    await dialog.getByLabel("Publish pages").check();
    await dialog.getByLabel("Paths").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await blogger.getByText("Changed after a restart").waitFor();
    const { roles } = parse(await stored());
    assert.deepEqual(roles.blogger, {
      permissions: ["pages.read", "pages.update", "pages.publish"],
    });
    await blogger.getByRole("button", { name: "Delete blogger" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await blogger.getByText("Removed after a restart").waitFor();
    assert.match(await stored(), /^# rights of the roles\n/);
  });

  it("are assigned to accounts and invitations", async () => {
    await desk.site.as("author", { username: "bo" });
    const page = await open({ path: "/users" });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Change bo" }).click();
    await dialog.getByLabel("blogger: only blog/**").check();
    await dialog.getByLabel("Author: writes").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /bo@/ }).getByText("blogger").waitFor();
    await page.getByRole("button", { name: "Invite by e-mail" }).click();
    await dialog.getByLabel("E-mail address").fill("cy@example.org");
    await dialog.getByLabel("Role").selectOption("blogger: only blog/**");
    await dialog.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Invitation for cy@example.org").getByRole("textbox").waitFor();
    const admin = await desk.site.as("admin");
    const { items } = await admin.json(200, "GET", "/admin/api/invitations");
    assert.equal(items[0].role, "blogger");
  });

  it("write and publish below their paths, and see no screen of the whole site", async () => {
    const page = await open({ role: "columnist", path: "" });
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const menu = page.getByRole("navigation", { name: "Menu" });
    const screens = await menu.getByRole("link").allInnerTexts();
    assert.deepEqual(
      screens.filter((name) => ["Webhooks", "Search"].includes(name)),
      [],
    );
    for (const name of ["Dashboard", "Pages", "Media", "Planned", "Trash"]) {
      await menu.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForLoadState("networkidle");
    }
    await page.goto("/admin/pages?new=/blog");
    const dialog = page.getByRole("dialog", { name: "New page" });
    await dialog.getByLabel("Title").fill("A column");
    await dialog.getByRole("button", { name: "Create and write" }).click();
    await textOf(page).waitFor();
    await page.keyboard.type("What the week brought.");
    await publish(page);
    assert.match(await (await desk.site.fetch("/blog/a-column")).text(), /What the week brought/);
    assert.deepEqual(refused, []);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`have no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const viewport = { width, height: 900 };
      const page = await open({ colorScheme, viewport, bypassCSP: true });
      const name = `roles-${colorScheme}-${width}`;
      await page.getByRole("region", { name: "blogger" }).waitFor();
      await assertAccessible(page, name);
      await page.getByRole("button", { name: "New role" }).click();
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page, `${name}-form`);
    });
  }
});
