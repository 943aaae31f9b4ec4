import assert from "node:assert/strict";
import type { Browser, BrowserContext } from "playwright-core";
import { definePlugin } from "#kernel";
import { h } from "preact";
import { adminPlugins, bootAdmin, type AdminSite } from "../../../support/sites/admin-site.js";
import { useChromium } from "../../../support/services.js";

const path = "02.blog/02.second/post.md";
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** A page of the panel with a frame, under a policy without inline scripts and styles. */
const framePage = definePlugin({
  name: "frame-page",
  version: "1.0.0",
  after: ["admin"],
  setup(site) {
    const shown = h("iframe", { name: "preview", sandbox: "allow-same-origin" });
    site.use("admin").page({ path: "/frame", label: "F", permission: "any", render: () => shown });
    site.http.filter((req, _res, answer) => {
      if (req.ctx.path !== "/admin/frame") return;
      const policy =
        "default-src 'none'; style-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'";
      answer.headers = { ...answer.headers, "Content-Security-Policy": policy };
    });
  },
});

describe("a preview in a frame of the panel", () => {
  let browser: Browser;
  let site: AdminSite;
  let context: BrowserContext;
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    site = await bootAdmin({
      plugins: [...adminPlugins, "render"],
      extraPlugins: [framePage],
      files: { "content/02.blog/02.second/dot.gif": picture },
    });
    const [name = "", value = ""] = (await site.as("author")).cookie.split("=");
    context = await browser.newContext({ baseURL: site.url });
    await context.addCookies([{ name, value, url: site.url, sameSite: "Strict" }]);
  });
  afterEach(async () => {
    await context.close();
    await site.close();
  });

  it("has the theme's style and media of hidden pages, runs no script, and can be read", async () => {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto("/admin/frame");
    const content = "---\ntitle: Soon\nstatus: draft\n---\nA picture ![dot](dot.gif)\n\nMore.\n";
    await page.evaluate(submit, { path, content });
    const frame = page.frameLocator('iframe[name="preview"]');
    await frame.locator("[data-line='7']").waitFor();
    await frame.locator("img").evaluate((image: HTMLImageElement) => image.decode());
    const seen = await page.evaluate(look);
    assert.deepEqual(seen, { blocks: ["5", "7"], picture: 1, hasStyle: true, isStyled: true });
    assert.deepEqual(problems, []);
  });
});

/** In the browser: sends the text to the frame, as the panel does. */
async function submit(fields: Record<string, string>): Promise<void> {
  const session: unknown = await (await fetch("/admin/api/session")).json();
  const token = JSON.stringify(session).match(/"csrfToken":"([^"]+)"/)?.[1] ?? "";
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: "/admin/preview", target: "preview" });
  for (const [name, value] of Object.entries({ ...fields, _csrf: token })) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

/** In the browser: what the panel sees of the frame. */
function look() {
  const shown = document.querySelector("iframe")?.contentDocument;
  const blocks = [...(shown?.querySelectorAll("[data-line]") ?? [])];
  const heading = shown?.querySelector("h1");
  return {
    blocks: blocks.map((block) => block.getAttribute("data-line")),
    picture: shown?.querySelector<HTMLImageElement>("img[src$='dot.gif']")?.naturalWidth ?? 0,
    hasStyle: (shown?.styleSheets.length ?? 0) > 0,
    // 8 px is the margin without a style sheet.
    isStyled: heading && shown ? getComputedStyle(shown.body).margin !== "8px" : false,
  };
}
