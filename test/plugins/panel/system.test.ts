import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { z } from "zod";
import { definePlugin } from "#kernel";
import type { Jobs } from "../../../plugins/jobs/contract.js";
import { password } from "../../support/sites/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";
import { VIEWS } from "../../support/browsers/views.js";

describe("the panel's screens of the administration", function () {
  let receiver: Receiver;
  let isBroken = true;
  let jobs: Jobs;
  const desk = usePanel(useChromium, async () => {
    isBroken = true;
    receiver = await startReceiver();
    const webhook = { url: receiver.url, events: ["onPageUpdate"], label: "Deploy" };
    const probe = definePlugin({
      name: "probe",
      version: "1.0.0",
      requires: ["jobs"],
      setup(context) {
        jobs = context.use("jobs");
        const run = async (): Promise<void> => {
          if (isBroken) throw new Error("the archive is full");
        };
        jobs.define("archive", { delaysMs: [], payload: z.null(), run });
      },
    });
    return bootPanel({ settings: { admin: { webhooks: [webhook] } }, extraPlugins: [probe] });
  });
  afterEach(() => receiver.close());
  const open = (path: string, options: PanelPageOptions = {}): Promise<Page> =>
    desk.open({ path, ...options });

  /** Opens the screen at both widths in both colour schemes, and checks what `show` shows. */
  async function assertAllAccessible(
    path: string,
    name: string,
    show: (page: Page) => Promise<void>,
  ): Promise<void> {
    for (const { colorScheme, width } of VIEWS) {
      const viewport = { width, height: 900 };
      const username = `${name}-${colorScheme}-${width}`;
      const options = { colorScheme, viewport, bypassCSP: true, username };
      const page = await open(path, options);
      await show(page);
      await assertAccessible(page, username);
    }
  }

  /** Changes a page; the delivery of that event fails for good. */
  async function failDelivery(): Promise<void> {
    const admin = await desk.site.as("admin", { username: "writer" });
    receiver.answer = (res) => res.writeHead(410).end();
    const path = "/admin/api/pages/02.blog/01.first/post.md";
    await admin.json(200, "PUT", path, { body: "Another body." });
    await until(async () => {
      await jobs.flush("webhook");
      const { items } = await admin.json(200, "GET", "/admin/api/webhooks/deliveries");
      return items[0]?.finalStatus === "failed";
    });
  }

  describe("webhooks", () => {
    beforeEach(failDelivery);

    it("shows a failed delivery with its payload, and sends it again", async () => {
      const page = await open("/webhooks");
      await page.getByText("One delivery").waitFor();
      await page.getByLabel("State").selectOption("success");
      await page.getByText("No delivery matches").waitFor();
      await page.getByLabel("State").selectOption("failed");
      await page.getByRole("button", { name: "Show delivery Page changed to Deploy" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Attempt 4: Response 410").waitFor();
      const payload = await dialog.locator("pre").innerText();
      assert.match(payload, /"sourcePath": "02.blog\/01.first\/post.md"/);
      receiver.answer = (res) => res.writeHead(204).end();
      await dialog.getByRole("button", { name: "Send again" }).click();
      await dialog.getByText("This delivery repeats an earlier one.").waitFor();
      await dialog.getByText("Delivered").waitFor();
      await dialog.getByText("Attempt 1: Response 204").waitFor();
      assert.equal(receiver.received.length, 5);
      await page.keyboard.press("Escape");
      await page.getByText("2 deliveries").waitFor();
    });

    it("offers no second delivery to a role that may not", async () => {
      const page = await open("/webhooks", { role: "editor" });
      await page.getByRole("button", { name: /^Show delivery/ }).click();
      await page.getByRole("dialog").getByText("Attempt 1: Response 410").waitFor();
      assert.equal(await page.getByRole("button", { name: "Send again" }).count(), 0);
    });

    it("counts the events since a cursor, and replays them", async () => {
      receiver.answer = (res) => res.writeHead(204).end();
      const { cursor } = z
        .object({ cursor: z.string() })
        .parse(await (await desk.site.fetch("/api/changes")).json());
      const admin = await desk.site.as("admin");
      for (const body of ["one\n", "two\n"]) {
        await admin.json(200, "PUT", "/admin/api/pages/02.blog/01.first/post.md", { body });
      }
      await jobs.flush("webhook");
      const before = receiver.received.length;
      const page = await open("/webhooks");
      await page.getByRole("button", { name: "Replay events …" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Endpoint").selectOption("Deploy");
      await dialog.getByLabel("Since cursor").fill("nothing");
      await dialog.getByRole("button", { name: "Count the events" }).click();
      await dialog.getByRole("alert").waitFor();
      await dialog.getByLabel("Since cursor").fill(cursor);
      await dialog.getByRole("button", { name: "Count the events" }).click();
      await dialog.getByText("2 events would be sent.").waitFor();
      await assertAccessible(page, "webhooks-replay");
      assert.equal(receiver.received.length, before);
      await dialog.getByRole("button", { name: "Send 2 events" }).click();
      await page.getByText("2 events were queued.").waitFor();
      await jobs.flush("webhook");
      assert.equal(receiver.received.length, before + 2);
    });

    it("has no accessibility violations", async () => {
      await assertAllAccessible("/webhooks", "webhooks", async (page) => {
        await page.getByRole("button", { name: /^Show delivery/ }).click();
        await page.getByRole("dialog").waitFor();
      });
    });
  });

  describe("users", () => {
    it("creates, changes and deletes an account", async () => {
      const page = await open("/users");
      await page.getByText("2 accounts").waitFor();
      await page.getByRole("button", { name: "Create an account" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("E-mail address").fill("ada@example.org");
      await dialog.getByLabel("Name", { exact: true }).fill("Ada");
      await dialog.getByLabel("Password").fill("short");
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog
        .getByRole("alert")
        .getByText(/at least 12/)
        .waitFor();
      await dialog.getByLabel("Password").fill(password);
      await dialog.getByRole("button", { name: "Create" }).click();
      await page.getByText("3 accounts").waitFor();

      await page.getByRole("button", { name: "Change Ada" }).click();
      await dialog.getByLabel("Editor: writes and publishes").check();
      await dialog.getByLabel("The account may sign in").uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      const row = page.getByRole("row", { name: /Ada/ });
      await row.getByText("editor, author").waitFor();
      await row.getByText("Disabled").waitFor();

      await page.getByRole("button", { name: "Set a password for Ada" }).click();
      await dialog.getByLabel("Password").fill("another long pass phrase");
      await dialog.getByRole("button", { name: "Set a password" }).click();
      await page.getByText("The password was set.", { exact: false }).waitFor();

      await page.getByRole("button", { name: "Delete the account of Ada?" }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await page.getByText("2 accounts").waitFor();
      const users = await desk.site.site.use("users").list({ limit: 10, offset: 0 });
      assert.deepEqual(
        users.map(({ username }) => username),
        ["admin", "admin-panel"],
      );
    });

    it("keeps the last administrator and says why", async () => {
      const users = desk.site.site.use("users");
      const [first] = await users.list({ limit: 1, offset: 0 });
      const page = await open("/users");
      await users.delete(first?.id ?? "");
      await page.getByRole("button", { name: "Change admin-panel" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Administrator: everything").uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("the last admin cannot be removed").waitFor();
      // The list may have been loaded before the other account was deleted.
      const name = "Delete the account of admin-panel?";
      const remove = page.getByRole("button", { name, includeHidden: true });
      assert.equal(await remove.isDisabled(), true);
    });

    it("invites by keyboard, shows the link once, sends a new one and revokes it", async () => {
      const page = await open("/users", { viewport: { width: 390, height: 844 } });
      await page.getByRole("button", { name: "Invite by e-mail" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("ines@example.org");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Editor");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const link = page.getByLabel("Invitation for ines@example.org").getByRole("textbox");
      const first = await link.inputValue();
      assert.match(first, /\/admin\/invitations\/once_/);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Send ines@example.org a new link" }).click();
      assert.notEqual(await link.inputValue(), first);
      await page.keyboard.press("Escape");
      const list = page.getByRole("region", { name: "Open invitations" });
      await list.getByText("editor").waitFor();
      await list.getByRole("button", { name: /^Revoke/ }).click();
      await list.waitFor({ state: "detached" });
      assert.equal((await desk.site.fetch(new URL(first).pathname)).status, 404);
    });

    it("has no accessibility violations", async () => {
      await assertAllAccessible("/users", "users", async (page) => {
        await page
          .getByRole("button", { name: /^Change users-/ })
          .first()
          .waitFor();
        await assertAccessible(page, `users-list-${page.viewportSize()?.width}`);
        await page.getByRole("button", { name: "Create an account" }).click();
        await page.getByRole("dialog").waitFor();
      });
    });
  });

  describe("API tokens", () => {
    it("creates a token that works, shows it once, and revokes it", async () => {
      const page = await open("/tokens", { permissions: ["clipboard-read", "clipboard-write"] });
      await page.getByRole("button", { name: "Create a token" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("backup");
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.getByText("Choose at least one permission.").waitFor();
      await dialog.getByLabel("Read pages").check();
      await dialog.getByLabel("Valid until").fill("2099-12-31");
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.getByRole("button", { name: "Copy" }).click();
      await dialog.getByText("Copied").waitFor();
      const secret = await page.evaluate<string>("navigator.clipboard.readText()");
      const headers = { authorization: `Bearer ${secret}` };
      assert.equal((await desk.site.fetch("/admin/api/pages", { headers })).status, 200);
      assert.equal((await desk.site.fetch("/admin/api/users", { headers })).status, 403);
      await page.keyboard.press("Escape");
      await page
        .getByRole("row", { name: /backup/ })
        .getByText(/2099/)
        .waitFor();
      await page.getByRole("button", { name: "Revoke the token backup?" }).click();
      await dialog.getByRole("button", { name: "Revoke" }).click();
      await page.getByText("There are no tokens.").waitFor();
      assert.equal((await desk.site.fetch("/admin/api/pages", { headers })).status, 401);
    });

    it("limits a token to places and fields, and shows its limits", async () => {
      const page = await open("/tokens");
      await page.getByRole("button", { name: "Create a token" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("translator");
      for (const name of ["pages.read", "pages.update", "pages.publish"]) {
        await dialog.locator(`input[value="${name}"]`).check();
      }
      await dialog.getByLabel("Only in these places").fill("blog/**\n");
      await dialog.getByLabel("Only these fields").fill("title\n body \n");
      await dialog.getByRole("button", { name: "Create" }).click();
      const secret = await dialog.getByLabel("Token translator").inputValue();
      await page.keyboard.press("Escape");
      const row = page.getByRole("row", { name: /translator/ });
      await row.getByText("Only in blog/**").waitFor();
      await row.getByText("Only the fields title, body").waitFor();
      const put = (path: string, content: object) =>
        desk.site.fetch(`/admin/api/pages/${path}`, {
          method: "PUT",
          headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          body: JSON.stringify(content),
        });
      const post = "02.blog/01.first/post.md";
      assert.equal((await put(post, { body: "Through a token.\n" })).status, 200);
      assert.equal((await put(post, { frontmatter: { tags: ["x"] } })).status, 403);
      assert.equal((await put("01.home/default.md", { body: "No.\n" })).status, 403);
    });

    it("has no accessibility violations", async () => {
      const admin = await desk.site.as("admin");
      const token = {
        name: "a program",
        permissions: ["pages.read", "flex.read"],
        paths: ["blog/**"],
        fields: ["title", "body"],
      };
      await admin.json(201, "POST", "/admin/api/tokens", token);
      await assertAllAccessible("/tokens", "tokens", async (page) => {
        await page.getByText("One token").waitFor();
        await assertAccessible(page, `tokens-list-${page.viewportSize()?.width}`);
        await page.getByRole("button", { name: "Create a token" }).click();
        await page.getByRole("dialog").waitFor();
      });
    });
  });

  describe("activity, audit log and search", () => {
    it("lists failed jobs by queue and state, and runs one again by keyboard", async () => {
      await jobs.outcome(await jobs.add("archive", null));
      const page = await open("/jobs?state=dead");
      await page.getByText("One job").waitFor();
      await page.getByLabel("Queue").selectOption("webhook");
      await page.getByText("Nothing waits, runs or failed here.").waitFor();
      await page.getByLabel("Queue").selectOption("archive");
      await page.getByText("Last error: the archive is full").waitFor();
      isBroken = false;
      await page.getByRole("button", { name: /^Run again: archive from/ }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The job runs again.").waitFor();
      await page.getByText("Nothing waits, runs or failed here.").waitFor();
      await until(async () => (await jobs.list({ queue: "archive" })).length === 0);
    });

    it("narrows the audit log by event, person and outcome", async () => {
      const admin = await desk.site.as("admin", { username: "ada" });
      const path = "/admin/api/pages/02.blog/01.first/post.md";
      await admin.json(200, "PUT", path, { body: "Another body." });
      const page = await open("/audit");
      await page.getByText("3 entries").waitFor();
      await page.getByLabel("Who").selectOption("ada");
      await page.getByText("2 entries").waitFor();
      await page.getByLabel("Event").selectOption("Page changed");
      await page.keyboard.press("Enter");
      await page.getByText("One entry").waitFor();
      await page.getByRole("cell", { name: "02.blog/01.first/post.md" }).waitFor();
      await page.getByLabel("Outcome").selectOption("failure");
      await page.getByText("No entry matches.").waitFor();
    });

    it("shows what readers searched for", async () => {
      await desk.site.fetch("/api/search?q=first");
      await desk.site.fetch("/api/search?q=zeppelin");
      const page = await open("/searches");
      await page.getByText("2 searches").waitFor();
      const zero = page.getByRole("table").first();
      await zero.getByRole("cell", { name: "zeppelin", exact: true }).waitFor();
      assert.equal(await zero.getByRole("cell", { name: "first" }).count(), 0);
    });

    it("has no accessibility violations", async () => {
      await failDelivery();
      await jobs.outcome(await jobs.add("archive", null));
      await assertAllAccessible("/jobs", "jobs", (page) => page.getByText("One job").waitFor());
      await assertAllAccessible("/audit", "audit", (page) =>
        page.getByRole("cell", { name: "Page changed" }).waitFor(),
      );
    });
  });

  describe("settings", () => {
    const text = "# the harbour's site\ntitle: Harbour\nurl: https://harbour.example\n";
    beforeEach(() => desk.site.write("site.yaml", text));

    it("shows a wrong value's problem beside the field, and saves a right one", async () => {
      const page = await open("/settings");
      const url = page.getByLabel("Address", { exact: true });
      await url.fill("nope");
      await page.getByText("Takes effect after a restart").waitFor();
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("Expected an http(s) URL without credentials.").first().waitFor();
      const hint = await url.getAttribute("aria-describedby");
      const shown = page.locator(`[id="${hint}"]`);
      assert.match(await shown.innerText(), /^Expected an http\(s\) URL .* https:\/\/example.org/);
      assert.equal(await readFile(join(desk.site.root, "site.yaml"), "utf8"), text);

      await url.fill("https://pier.example");
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("The changes take effect after a restart").waitFor();
      const saved = text.replace("harbour.example", "pier.example");
      assert.equal(await readFile(join(desk.site.root, "site.yaml"), "utf8"), saved);
    });

    it("saves a number, a choice and a list of the system by keyboard", async () => {
      const page = await open("/settings/system", { viewport: { width: 390, height: 844 } });
      await page.getByLabel("Quality", { exact: true }).focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("70");
      await page.getByRole("region", { name: "Cache", exact: true }).getByLabel("Store").focus();
      await page.keyboard.type("memory");
      await page.getByLabel("Languages of the site").focus();
      await page.keyboard.type("de");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Save 3 changes" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The changes take effect after a restart").waitFor();
      const yaml = await readFile(join(desk.site.root, "system.yaml"), "utf8");
      assert.match(yaml, /default_quality: 70\n/);
      assert.match(yaml, /driver: memory\n/);
      assert.match(yaml, /- de\n/);
    });

    it("keeps the file of another person, and saves after it was loaded again", async () => {
      const page = await open("/settings");
      await page.getByLabel("Name *").fill("Pier");
      await desk.site.write("site.yaml", `${text}description: By the sea\n`);
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("The file was changed by someone else").waitFor();
      await page.getByRole("button", { name: "Load the file again and keep my changes" }).click();
      await page.getByText("The file was changed by someone else").waitFor({ state: "detached" });
      const description = page.getByLabel("Description", { exact: true });
      await until(async () => (await description.inputValue()) === "By the sea");
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("The changes take effect after a restart").waitFor();
      const saved = await readFile(join(desk.site.root, "site.yaml"), "utf8");
      assert.equal(saved, `${text.replace("Harbour", "Pier")}description: By the sea\n`);
    });

    it("finds a setting by its words, marks values from the file, and restores the default", async () => {
      await desk.site.write("site.yaml", `${text}http_cache:\n  default_swr: 3600\n`);
      const page = await open("/settings");
      const name = "Browser caching";
      await page.getByRole("link", { name, exact: true }).waitFor();
      await page.getByLabel("Find a setting").fill("caching stale");
      const section = page.getByRole("region", { name });
      const seconds = section.getByLabel("Stale for", { exact: true });
      await section.getByText("That is 1 hour.").waitFor();
      assert.deepEqual(await page.locator(".setting label").allInnerTexts(), ["Stale for"]);
      await section.getByText("Set in the file").waitFor();
      await section.getByRole("button", { name: "Back to default: Stale for" }).click();
      await page.getByRole("button", { name: "Undo the change: Stale for" }).click();
      assert.equal(await seconds.inputValue(), "3600");
      await section.getByRole("button", { name: "Back to default: Stale for" }).click();
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("The changes take effect after a restart").waitFor();
      assert.doesNotMatch(await readFile(join(desk.site.root, "site.yaml"), "utf8"), /swr/);
      await page.getByLabel("Find a setting").fill("nothing like this");
      await page.getByText("No setting matches “nothing like this”.").waitFor();
    });

    it("edits a map as a table", async () => {
      const page = await open("/settings");
      await page.getByRole("button", { name: "Add to Meta tags" }).click();
      await page.getByLabel("Name 1 of Meta tags").fill("robots");
      await page.getByLabel("Value 1 of Meta tags").fill("noindex");
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("The changes take effect after a restart").waitFor();
      const saved = await readFile(join(desk.site.root, "site.yaml"), "utf8");
      assert.match(saved, /metadata:\n  robots: noindex\n/);
    });

    it("edits a list of maps as rows with fields, and keeps what is not changed", async () => {
      const rules =
        "http_cache:\n  rules: # by path\n    - { pattern: /a, max_age: 5 } # first\n    - pattern: '/b' # second\n      no_store: true\n";
      await desk.site.write("site.yaml", text + rules);
      const page = await open("/settings/site?setting=http_cache.rules");
      const row = page.locator(".setting.is-linked");
      const list = row.getByRole("list", { name: "Rules" });
      await list.getByRole("listitem").nth(1).waitFor();
      assert.equal(await row.locator("textarea").count(), 0);
      await list.getByLabel("Pattern").nth(1).fill("/c");
      await list.getByRole("button", { name: "Remove entry 1" }).click();
      await row.getByRole("button", { name: /^Add/ }).click();
      await list.getByLabel("Pattern").nth(1).fill("wrong");
      await list.getByLabel("Max age").nth(1).fill("60");
      await page.getByRole("button", { name: "Save one change" }).click();
      await list.getByText("a path such as").first().waitFor();
      await list.getByLabel("Pattern").nth(1).fill("/d");
      await list.getByRole("button", { name: "Move entry 2 up" }).click();
      await page.getByRole("button", { name: "Save one change" }).click();
      await page.getByText("The changes take effect after a restart").waitFor();
      const saved = await readFile(join(desk.site.root, "site.yaml"), "utf8");
      assert.equal(
        saved,
        `${text}http_cache:\n  rules: # by path\n    - { pattern: /d, max_age: 60 } # first\n` +
          "    - pattern: '/c' # second\n      no_store: true\n",
      );
      const bar = await page.locator(".save-bar").boundingBox();
      const toast = await page.locator(".toast").first().boundingBox();
      assert.ok(bar !== null && toast !== null && toast.y + toast.height <= bar.y);
      await row.getByRole("link", { name: "Link to this setting: Rules" }).click();
      assert.match(page.url(), /\/settings\/site\?setting=http_cache\.rules$/);
    });

    it("shows the settings to a role that may only read them", async () => {
      const page = await open("/settings/admin", { role: "editor" });
      await page.getByText("but not change them").waitFor();
      assert.equal(await page.getByRole("button", { name: /Save/ }).count(), 0);
    });

    it("has no accessibility violations", async () => {
      for (const file of ["site", "system", "admin"]) {
        await assertAllAccessible(`/settings/${file}`, `settings-${file}`, (page) =>
          page.getByText(`stored in ${file}.yaml`).waitFor(),
        );
      }
    });
  });
});
