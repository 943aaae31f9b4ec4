import assert from "node:assert/strict";
import { z } from "zod";
import { definePlugin } from "#kernel";
import { firstPartyPlugins } from "../../plugins/main.js";
import { bootAuthSite, type AuthSite } from "../support/sites/auth-site.js";
import { bootSite } from "../support/sites/boot-site.js";

describe("the first-party routes", () => {
  let site: AuthSite;
  before(async () => {
    const files = { "content/01.home/default.md": "# Home\n" };
    site = await bootAuthSite(
      { providers: { magicLink: { enabled: true } } },
      {
        files,
        plugins: firstPartyPlugins.map(({ name }) => name),
      },
    );
  });
  after(() => site.close());

  it("declare their responses, unless they are HTML pages", () => {
    const { routes, described } = site.site.context("test").http;
    const silent = [...routes, ...described]
      .filter(({ hidden, responses }) => hidden !== true && responses === undefined)
      .map(({ plugin, method, path }) => `${plugin}: ${method} ${path}`);
    assert.deepEqual(silent, []);
  });
});

describe("every response of a test site", () => {
  const answers: Record<string, unknown> = {
    "/api/right": { id: "a" },
    "/api/wrong": { id: 1 },
    "/api/more": { id: "a", secret: "b" },
    "/api/status": { id: "a" },
  };
  const wrong = definePlugin({
    name: "wrong",
    version: "1.0.0",
    setup(site) {
      for (const [path, body] of Object.entries(answers)) {
        site.http.route({
          method: "get",
          path,
          summary: "-",
          responses: { 200: z.object({ id: z.string() }) },
          handler: (req, res) =>
            site.http.json(req, res, body, { status: path === "/api/status" ? 202 : 200 }),
        });
      }
      site.http.use("routes", (req, res, next) =>
        req.ctx.path === "/api/none" ? site.http.json(req, res, { ok: true }) : next(),
      );
    },
  });

  for (const [path, expected] of [
    ["/api/wrong", /\/id must be string/],
    ["/api/more", /additionalProperty":"secret"/],
    ["/api/status", /202: the status is not declared/],
    ["/api/none", /no route is declared/],
  ] as const) {
    it(`is checked against its declaration: ${path} fails the test`, async () => {
      const site = await bootSite({ plugins: ["health"], extraPlugins: [wrong] });
      await assert.rejects(site.fetch(path), expected);
      await site.close();
    });
  }

  it("passes when it matches the declaration", async () => {
    const site = await bootSite({ plugins: ["health"], extraPlugins: [wrong] });
    assert.equal((await site.fetch("/api/right")).status, 200);
    await site.close();
  });

  it("is checked when another client requests it: closing the site fails", async () => {
    const site = await bootSite({ plugins: ["health"], extraPlugins: [wrong] });
    await (await fetch(`${site.url}/api/wrong`)).text();
    await assert.rejects(site.close(), /must be string/);
  });
});
