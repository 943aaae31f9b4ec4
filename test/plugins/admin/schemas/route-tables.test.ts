import assert from "node:assert/strict";
import { accountsApi, ownAccountApi } from "../../../../plugins/admin/schemas/accounts.js";
import { workflowApi } from "../../../../plugins/admin/schemas/workflow.js";
import { mediaApi } from "../../../../plugins/admin/schemas/media.js";
import { pagesApi } from "../../../../plugins/admin/schemas/pages.js";
import { recordsApi } from "../../../../plugins/admin/schemas/records.js";
import { settingsApi } from "../../../../plugins/admin/schemas/settings.js";
import { systemApi } from "../../../../plugins/admin/schemas/system.js";
import type { Answer, Body, Input, Route } from "../../../../plugins/panel/client/api/request.js";
import { bootAdmin } from "../../../support/sites/admin-site.js";

const tables = {
  ...accountsApi,
  ...workflowApi,
  ...mediaApi,
  ...ownAccountApi,
  ...pagesApi,
  ...recordsApi,
  ...settingsApi,
  ...systemApi,
};
/** Only mounted when `oidc` is set. */
const OPTIONAL = new Set(["POST /me/oidc", "DELETE /me/oidc"]);

describe("the schemas of the admin API", () => {
  it("name routes that exist", async () => {
    const site = await bootAdmin();
    try {
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
    } finally {
      await site.close();
    }
  });

  it("give the panel its types: what does not fit a route does not compile", () => {
    const route: Route = "GET /pages/*path";
    // @ts-expect-error: no route has this address
    const unknown: Route = "GET /page/*path";
    const body: Body<"POST /workflow/transition"> = { path: "index.md", to: "draft" };
    // @ts-expect-error: no page has this status
    const wrong: Body<"POST /workflow/transition"> = { path: "index.md", to: "hidden" };
    const input: Input<"DELETE /trash/:id"> = { params: { id: "1" } };
    // @ts-expect-error: the address names another value
    const other: Input<"DELETE /trash/:id"> = { params: { name: "1" } };
    const status: Answer<"GET /pages/*path">["status"] = "archived";
    // @ts-expect-error: a dry run is not what the panel asks for
    const dry: Answer<"PUT /pages/*path"> = { dryRun: true, changes: [] };
    const values = [route, unknown, body, wrong, input, other, status, dry];
    assert.equal(values.length, 8);
  });
});
