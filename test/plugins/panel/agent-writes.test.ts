import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { bootAdmin, type AdminSite } from "../../support/sites/admin-site.js";
import { checkAccessible, openPanel, panelPlugins } from "../../support/browsers/panel-browser.js";
import { useChromium } from "../../support/services.js";

const PATH = "02.blog/01.first/post.md";
const plugins = [...panelPlugins, "openapi", "mcp"];
const files = {
  "site.yaml": "title: Harbour\nmcp: { enabled: true }\n",
  [`content/${PATH}`]: "---\ntitle: First\nprice: 3\n---\nThe first post.\n",
};
const VIEWS = [
  { width: 1280, colorScheme: "light", locale: "en-GB" },
  { width: 390, colorScheme: "dark", locale: "de-DE" },
] as const;
const answer = z.object({ result: z.object({ isError: z.literal(true).optional() }) });

describe("writes of agents in the panel", () => {
  let browser: Browser;
  let site: AdminSite;
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    site = await bootAdmin({ files, plugins });
  });
  afterEach(() => site.close());

  async function show(price: number): Promise<void> {
    const expiresAt = site.site.context("admin").runtime.clock.now() + 3_600_000;
    const permissions = ["pages.update", "pages.publish"];
    const token = { name: "helper", permissions, userId: null, expiresAt };
    const { secret } = await site.site.use("admin").tokens.create(token);
    const params = { name: "write_page", arguments: { path: PATH, frontmatter: { price } } };
    const response = await site.fetch("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    answer.parse(await response.json());
  }
  const text = (): Promise<string> => readFile(join(site.root, "content", PATH), "utf8");

  it("are shown with their difference, and written or dropped as the person decides", async () => {
    await show(7);
    const shown = { role: "editor", path: "/plugins/mcp" };
    const { page, close } = await openPanel(browser, site, shown);
    await page.getByText("One write waits").waitFor();
    await page.getByText("+price: 7").waitFor();
    await page.getByRole("button", { name: "Approve: write_page by helper" }).click();
    await page.getByText("No write waits for you.").waitFor();
    assert.match(await text(), /price: 7/);

    await show(8);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("button", { name: "Reject: write_page by helper" }).click();
    await page.getByText("No write waits for you.").waitFor();
    assert.match(await text(), /price: 7/);
    await close();
  });

  for (const { width, colorScheme, locale } of VIEWS) {
    it(`are accessible at ${width} pixels, ${colorScheme}, ${locale}`, async () => {
      await show(9);
      const view = { viewport: { width, height: 900 }, colorScheme, locale, bypassCSP: true };
      const shown = { ...view, path: "/plugins/mcp" };
      const { page, messages, close } = await openPanel(browser, site, shown);
      await page.getByText("+price: 9").waitFor();
      await checkAccessible(page, `agent-writes-${width}-${colorScheme}`);
      assert.deepEqual(messages, []);
      await close();
    });
  }
});
