import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { AdminSite } from "../../support/admin-site.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPage,
  type PanelPageOptions,
} from "../../support/panel-browser.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/webhook-receiver.js";

describe("the panel's screens of the administration", function () {
  let browser: Browser;
  let receiver: Receiver;
  let site: AdminSite;
  let opened: PanelPage[] = [];
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    const webhook = { url: receiver.url, events: ["onPageUpdate"], label: "Deploy" };
    site = await bootPanel({ settings: { admin: { webhooks: [webhook] } } });
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
    opened = [];
    await site.close();
    await receiver.close();
  });

  async function open(path: string, options: PanelPageOptions = {}): Promise<Page> {
    const shown = await openPanel(browser, site, { path, ...options });
    opened.push(shown);
    return shown.page;
  }
  /** Opens the screen at both widths in both colour schemes, and checks what `show` shows. */
  async function assertAllAccessible(
    path: string,
    name: string,
    show: (page: Page) => Promise<void>,
  ): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [390, 1280]) {
        const viewport = { width, height: 900 };
        const username = `${name}-${colorScheme}-${width}`;
        const options = { colorScheme, viewport, bypassCSP: true, username };
        const page = await open(path, options);
        await show(page);
        await assertAccessible(page, username);
      }
    }
  }

  describe("webhooks", () => {
    beforeEach(async () => {
      const admin = await site.as("admin", { username: "writer" });
      receiver.answer = (res) => res.writeHead(410).end();
      const path = "/admin/api/pages/02.blog/01.first/post.md";
      await admin.json(200, "PUT", path, { body: "Another body." });
      const state = async (): Promise<string> => {
        const { items } = await admin.json(200, "GET", "/admin/api/webhooks/deliveries");
        return items[0]?.finalStatus;
      };
      await until(async () => (await state()) === "failed");
    });

    it("shows a failed delivery with its payload, and sends it again", async () => {
      const page = await open("/webhooks");
      await page.getByText("One delivery").waitFor();
      await page.getByLabel("State").selectOption("success");
      await page.getByText("No delivery matches").waitFor();
      await page.getByLabel("State").selectOption("failed");
      await page.getByRole("button", { name: "Show delivery onPageUpdate to Deploy" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Attempt 1: Response 410").waitFor();
      const payload = await dialog.locator("pre").innerText();
      assert.match(payload, /"sourcePath": "02.blog\/01.first\/post.md"/);
      receiver.answer = (res) => res.writeHead(204).end();
      await dialog.getByRole("button", { name: "Send again" }).click();
      await dialog.getByText("This delivery repeats an earlier one.").waitFor();
      await dialog.getByText("Delivered").waitFor();
      await dialog.getByText("Attempt 1: Response 204").waitFor();
      assert.equal(receiver.received.length, 2);
    });

    it("sends a delivery again by keyboard", async () => {
      const page = await open("/webhooks", { viewport: { width: 390, height: 844 } });
      const entry = page.getByRole("button", { name: "Show delivery onPageUpdate to Deploy" });
      await entry.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      receiver.answer = (res) => res.writeHead(204).end();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await dialog.getByText("Delivered").waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.getByText("2 deliveries").waitFor();
    });

    it("offers no second delivery to a role that may not", async () => {
      const page = await open("/webhooks", { role: "editor" });
      await page.getByRole("button", { name: /^Show delivery/ }).click();
      await page.getByRole("dialog").getByText("Attempt 1: Response 410").waitFor();
      assert.equal(await page.getByRole("button", { name: "Send again" }).count(), 0);
    });

    it("has no accessibility violations", async () => {
      await assertAllAccessible("/webhooks", "webhooks", async (page) => {
        await page.getByRole("button", { name: /^Show delivery/ }).click();
        await page.getByRole("dialog").waitFor();
      });
    });
  });
});
