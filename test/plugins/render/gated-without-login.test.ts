import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#lib/testing";
import { bootSite } from "../../support/sites/boot-site.js";

/** Serves a login of its own, without `auth` in site.yaml. */
const ownLogin = definePlugin({
  name: "own-login",
  version: "1.0.0",
  setup(site) {
    site.http.route({
      method: "get",
      path: "/auth/login",
      summary: "Login",
      handler: (req, res) => site.http.send(req, res, { type: "text/html", body: "<p>login" }),
    });
  },
});

describe("a gated page of a site with a login of a plugin", () => {
  it("leads to the login, and is reported nowhere", async () => {
    const log = new RecordedLog();
    const site = await bootSite({
      log: log.logger,
      plugins: ["check", "content", "markdown", "render", "session", "users"],
      extraPlugins: [ownLogin],
      files: { "content/g.md": "---\ntitle: G\nroles: member\n---\nx\n" },
    });
    try {
      const answer = await site.fetch("/g", { headers: { accept: "text/html" } });
      assert.equal(answer.status, 302);
      assert.equal(answer.headers.get("location"), "/auth/login?next=%2Fg");
      const problems = await site.site.use("check").problems();
      assert.deepEqual(
        problems.filter(({ code }) => code === "ERR_CHECK_LOGIN"),
        [],
      );
      assert.deepEqual(log.of("check.no_login"), []);
    } finally {
      await site.close();
    }
  });
});

describe("a gated page of a site without a login", () => {
  it("is 403, and does not lead to a login page that is missing", async () => {
    const log = new RecordedLog();
    const site = await bootSite({
      log: log.logger,
      plugins: ["check", "content", "markdown", "render", "session", "users"],
      files: { "content/g.md": "---\ntitle: G\nroles: member\n---\ncanary\n" },
    });
    try {
      const answer = await site.fetch("/g", { headers: { accept: "text/html" } });
      assert.equal(answer.status, 403);
      assert.doesNotMatch(await answer.text(), /canary/);
      const problems = await site.site.use("check").problems();
      const found = problems.find(({ code }) => code === "ERR_CHECK_LOGIN");
      assert.equal(found?.sourcePath, "g.md");
      assert.equal(found?.severity, "warning");
      const [said] = log.of("check.no_login");
      assert.deepEqual([said?.level, said?.fields["first"]], ["warn", "g.md"]);
    } finally {
      await site.close();
    }
  });
});
