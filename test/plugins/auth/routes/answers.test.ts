import assert from "node:assert/strict";
import { bootSite } from "../../../support/sites/boot-site.js";
import { definePlugin } from "#kernel";
import { addCookie, nothing, redirect } from "../../../../plugins/auth/routes/auth-context.js";

const answering = definePlugin({
  name: "answering",
  version: "1.0.0",
  setup({ http }) {
    const route = { method: "get", summary: "an answer" } as const;
    http.route({
      ...route,
      path: "/on",
      handler: (req, res) => redirect(http, { req, res }, "/a"),
    });
    http.route({ ...route, path: "/nothing", handler: (req, res) => nothing({ req, res }) });
    http.route({
      ...route,
      path: "/cookies",
      handler: (req, res) => {
        addCookie(res, "one=1; Path=/");
        addCookie(res, "two=2; Path=/");
        redirect(http, { req, res }, "/a");
      },
    });
  },
});

describe("login responses", () => {
  it("redirect without a body, or have no content; each cookie has its own header", async () => {
    const site = await bootSite({ plugins: [], extraPlugins: [answering] });
    try {
      const on = await site.fetch("/on", { redirect: "manual" });
      assert.deepEqual([on.status, on.headers.get("location"), await on.text()], [302, "/a", ""]);
      const cookies = await site.fetch("/cookies", { redirect: "manual" });
      assert.deepEqual(cookies.headers.getSetCookie(), ["one=1; Path=/", "two=2; Path=/"]);
      const none = await site.fetch("/nothing");
      assert.deepEqual([none.status, await none.text()], [204, ""]);
      assert.equal(none.headers.get("cache-control"), "no-store");
      assert.deepEqual(none.headers.getSetCookie(), []);
    } finally {
      await site.close();
    }
  });
});
