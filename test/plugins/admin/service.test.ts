import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootAdmin } from "../../support/sites/admin-site.js";

describe("the admin service", () => {
  it("guards a plugin's route and passes its handler the identity", async () => {
    const seen: string[] = [];
    const plugin = definePlugin({
      name: "shop",
      version: "1.0.0",
      after: ["admin"],
      setup(site) {
        site.use("admin").route({
          method: "post",
          path: "/orders/:id",
          permission: "users.manage",
          summary: "x",
          handler: (req, res, { identity, params }) => {
            seen.push(identity.name, params["id"] ?? "");
            site.use("admin").audit({ event: "order.sent", actor: identity });
            return site.http.json(req, res, { ok: true });
          },
        });
      },
    });
    const site = await bootAdmin({ extraPlugins: [plugin] });
    try {
      assert.equal((await site.fetch("/admin/api/orders/7", { method: "POST" })).status, 401);
      assert.equal(
        (await (await site.as("editor")).send("POST", "/admin/api/orders/7")).status,
        403,
      );
      assert.deepEqual(seen, []);
      await (await site.as("admin")).json(200, "POST", "/admin/api/orders/7");
      assert.deepEqual(seen, ["admin-user", "7"]);
      assert.ok((await site.audit()).some(({ event }) => event === "order.sent"));
      const route = site.site
        .use("admin")
        .routes.find(({ path }) => path === "/admin/api/orders/:id");
      assert.equal(route?.permission, "users.manage");
    } finally {
      await site.close();
    }
  });
});
