import assert from "node:assert/strict";
import { RecordedLog } from "../../../kernel/testing/recorded-log.js";
import { bootSite } from "../../support/sites/boot-site.js";

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
