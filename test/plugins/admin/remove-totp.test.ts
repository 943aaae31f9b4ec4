import assert from "node:assert/strict";
import { removeTotp } from "../../../plugins/admin/commands.js";
import { bootAdmin } from "../../support/sites/admin-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { enableTotp } from "../../support/sites/account-site.js";

describe("users:remove-totp", () => {
  it("removes the codes of an account by address or username", async () => {
    const site = await bootAdmin();
    try {
      const { out, lines } = commandOutput();
      const run = async (user: string) =>
        removeTotp.run({
          args: [user],
          options: {},
          out,
          root: site.root,
          site: async () => site.site.context("admin"),
        });
      const author = await site.as("author");
      await enableTotp(author, Date.now());
      await assert.rejects(run("nothing"), {
        message: 'there is no account "nothing"',
        exitCode: 2,
      });
      assert.deepEqual([await run("author-user@example.org"), await run("author-user")], [0, 0]);
      assert.match(lines.join("\n"), /needs no codes[\s\S]*needed no/);
      const { enabled } = await author.json(200, "GET", "/admin/api/me/totp");
      assert.equal(enabled, false);
    } finally {
      await site.close();
    }
  });
});
