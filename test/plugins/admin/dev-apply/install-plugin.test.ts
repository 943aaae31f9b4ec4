import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSpec } from "../../../../plugins/admin/dev-apply/apply-batch.js";
import { useAdmin } from "../../../support/sites/use-site.js";

describe("plugin.install", () => {
  for (const spec of [
    "npm:kit@1.0.0",
    "npm:@acme/kit@^1.2",
    "jsr:@acme/kit@~1.2.3",
    "npm:kit@1.0.0-beta.1",
    "./plugins/mine.ts",
  ]) {
    it(`accepts ${spec}`, () => assert.ok(isSpec(spec)));
  }
  for (const spec of [
    "file:./x",
    "http://evil.example/x",
    "git+ssh://x",
    "../x",
    "./../x",
    "./a/../../x",
    "--flag",
    "npm:kit",
    "npm:kit@latest",
    "npm:kit@*",
    "npm:kit@1.0.0; rm -rf /",
    "npm:kit@$(id)",
    "x\n- evil",
    "",
    "/abs/x.ts",
    "npm:../x@1.0.0",
    "npm:kit@1 || 2",
  ]) {
    it(`rejects ${JSON.stringify(spec)}`, () => assert.ok(!isSpec(spec)));
  }

  describe("over HTTP", () => {
    const site = useAdmin({ files: { "plugins/mine.ts": "throw new Error('never run');\n" } });
    const admin = site.user("admin");
    const install = async (spec: string) => {
      const body = { changes: [{ op: "plugin.install", spec }] };
      return (await admin.json(200, "POST", "/admin/api/dev/apply", body)).results[0];
    };

    it("writes the entry once, and runs nothing", async () => {
      assert.deepEqual(await install("./plugins/mine.ts"), {
        op: "plugin.install",
        spec: "./plugins/mine.ts",
        status: "updated",
        errors: [],
      });
      assert.equal((await install("./plugins/mine.ts")).status, "skipped");
      assert.match(
        await readFile(join(site.root, "site.yaml"), "utf8"),
        /plugins:\n {2}- src: \.\/plugins\/mine\.ts\n/,
      );
    });

    it("does not change site.yaml for an invalid plugin", async () => {
      const before = await readFile(join(site.root, "site.yaml"), "utf8");
      assert.equal((await install("npm:kit")).status, "error");
      assert.equal(await readFile(join(site.root, "site.yaml"), "utf8"), before);
    });
  });
});
