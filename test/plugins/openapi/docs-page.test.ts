import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import type { OpenApiDocument } from "../../../plugins/openapi/contract.js";
import { docsPage } from "../../../plugins/openapi/docs-page.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { viewsOf } from "../../support/browsers/views.js";
import { useChromium } from "../../support/services.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("/_site/docs", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      plugins: ["openapi", "pages", "search", "flex", "health", "security", "webhooks"],
      settings: { site: { title: "Boats & <b>more</b>" } },
    });
  });
  after(() => site.close());

  it("shows every public operation, escaped", async () => {
    const html = await (await site.fetch("/_site/docs")).text();
    const { paths } = site.site.use("openapi").document("public");
    for (const path of Object.keys(paths)) assert.ok(html.includes(`<code>${path}</code>`), path);
    assert.ok(html.includes("Boats &amp; &lt;b&gt;more&lt;/b&gt;: the API"));
    assert.ok(!html.includes("<script"));
  });

  it("only links to existing schemas and sections", async () => {
    const html = await (await site.fetch("/_site/docs")).text();
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);
    assert.deepEqual(
      links.filter((target) => !ids.has(target)),
      [],
    );
  });

  it("shows a recursive schema to a limited depth", () => {
    const properties: Record<string, unknown> = {};
    properties["again"] = { type: "object", properties };
    const schema = { type: "object", properties };
    const ok = { description: "OK", content: { "application/json": { schema } } };
    const get = { operationId: "getIt", summary: "It", tags: ["it"], responses: { "200": ok } };
    const document: OpenApiDocument = {
      openapi: "3.1.0",
      info: { title: "It", version: "1", description: "" },
      paths: { "/it": { get } },
      components: { schemas: {} },
    };
    assert.match(docsPage(document), /…/);
  });

  for (const { colorScheme, width } of viewsOf([360, 1280])) {
    it(`${colorScheme}, ${width} px: has no axe violation and no external request, expanded`, async function () {
      const browser: Browser = await useChromium(this);
      const context = await browser.newContext({ colorScheme, bypassCSP: true });
      try {
        const shown = await context.newPage();
        const asked: string[] = [];
        shown.on("request", (request) => asked.push(new URL(request.url()).pathname));
        await shown.setViewportSize({ width, height: 900 });
        await shown.goto(`${site.url}/_site/docs`);
        await shown.evaluate(
          "document.querySelectorAll('details').forEach((at, index) => { at.open = index % 3 === 0 })",
        );
        if (process.env["SHOTS"] !== undefined)
          await shown.screenshot({
            path: `${process.env["SHOTS"]}/docs-${colorScheme}-${width}.png`,
          });
        await shown.evaluate(axe);
        const found = await shown.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        assert.deepEqual(found, []);
        const overflow = await shown.evaluate("document.documentElement.scrollWidth > innerWidth");
        assert.equal(overflow, false, `wider than ${width}`);
        assert.deepEqual(
          asked.filter((path) => !/^\/_site\/docs(\.css)?$|^\/favicon.ico$/.test(path)),
          [],
        );
      } finally {
        await context.close();
      }
    });
  }
});
