import assert from "node:assert/strict";
import { accountsApi, ownAccountApi } from "../../../../plugins/admin/schemas/accounts.js";
import { workflowApi } from "../../../../plugins/admin/schemas/workflow.js";
import { mediaApi } from "../../../../plugins/admin/schemas/media.js";
import { arrangingApi } from "../../../../plugins/admin/schemas/arranging.js";
import { pagesApi } from "../../../../plugins/admin/schemas/pages.js";
import { recordsApi } from "../../../../plugins/admin/schemas/records.js";
import { settingsApi } from "../../../../plugins/admin/schemas/settings.js";
import { systemApi } from "../../../../plugins/admin/schemas/system.js";
import { useAdmin } from "../../../support/sites/use-site.js";

const tables = {
  ...accountsApi,
  ...workflowApi,
  ...mediaApi,
  ...ownAccountApi,
  ...arrangingApi,
  ...pagesApi,
  ...recordsApi,
  ...settingsApi,
  ...systemApi,
};
/** Only mounted when `oidc` is set. */
const OPTIONAL = new Set(["POST /me/oidc", "DELETE /me/oidc"]);

describe("the routes of the admin API", () => {
  const site = useAdmin();

  it("match the specification", () => {
    const routes = site.site
      .use("admin")
      .routes.map(({ method, path, permission }) => `${method} ${path} ${permission}`);
    for (const wanted of [
      "get /admin/api/introspect any",
      "get /admin/api/page-source pages.read",
      "post /admin/api/render-markdown pages.read",
      "post /admin/api/dev/apply pages.update",
      "get /admin/api/search/analytics pages.read",
      "get /admin/api/webhooks/deliveries pages.read",
    ]) {
      assert.ok(routes.includes(wanted), wanted);
    }
  });

  it("include those that the schemas name", () => {
    const routes = site.site
      .use("admin")
      .routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    const patterns = routes.map((route) => route.replace("/admin/api", ""));
    // One route serves all addresses below a page's versions.
    const named = (key: string): string => key.replace(/^(\w+ \/history\/\*path).*$/, "$1");
    const unknown = Object.keys(tables).filter((key) => !patterns.includes(named(key)));
    assert.deepEqual(
      unknown.filter((key) => !OPTIONAL.has(key)),
      [],
    );
  });

  it("respond with JSON, also for errors", async () => {
    const author = await site.as("author");
    for (const path of ["/admin/api/none", "/admin/api/pages/none.md", "/admin/api/users"]) {
      const answer = await author.send("GET", path);
      assert.equal(typeof ((await answer.json()) as { error: string }).error, "string");
    }
  });
});
