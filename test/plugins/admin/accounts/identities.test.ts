import assert from "node:assert/strict";
import { client } from "../../../support/sites/admin-site.js";
import { useAdmin } from "../../../support/sites/use-site.js";

describe("Identities", () => {
  const site = useAdmin();
  const editor = site.user("editor");

  it("uses the token of a request that also has a cookie", async () => {
    const body = { name: "t", permissions: ["pages.read"] };
    const { token } = await editor.json(201, "POST", "/admin/api/tokens", body);
    const both = client(site, { ...editor, bearer: token });
    const session = await both.json(200, "GET", "/admin/api/session");
    assert.deepEqual([session.permissions, session.csrfToken], [["pages.read"], null]);
    const broken = client(site, { ...editor, bearer: `${token.slice(0, -2)}xx` });
    assert.equal((await broken.send("GET", "/admin/api/session")).status, 401);
  });

  it("rejects a forged or truncated cookie", async () => {
    for (const cookie of [
      `site_admin=${"A".repeat(86)}`,
      editor.cookie.slice(0, -1),
      "site_admin=",
      "site_admin=__proto__",
    ]) {
      const visitor = client(site, { id: "", cookie, csrf: editor.csrf });
      assert.equal((await visitor.send("GET", "/admin/api/session")).status, 401, cookie);
    }
  });
});
