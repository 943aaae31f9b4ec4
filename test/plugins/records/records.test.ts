import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import { useFolder } from "../../support/folder.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { BOATS } from "../../../plugins/records/testing/records-contract.js";

describe("the service records", () => {
  const folder = useFolder();

  it("stores below `admin.runtimeDir`, and in the engine that another plugin activates", async () => {
    const boat = { name: "Aurora", crew: 3 };
    for (const engine of ["files", "shared"]) {
      const shared = definePlugin({
        name: "shared",
        version: "1.0.0",
        requires: ["records"],
        setup({ engines, use }) {
          const records = use("records");
          if (engine === "shared") engines.activate("records", new FileStore(folder.path));
          return records.collection(BOATS).put("a", boat);
        },
      });
      const site = await bootSite({ plugins: ["health"], extraPlugins: [shared] });
      const { runtime } = site.site.context("test").paths;
      try {
        const stored = await site.site.use("records").collection(BOATS).get("a");
        assert.deepEqual(stored?.value, boat);
        const file = join(engine === "files" ? runtime : folder.path, "boats/a.json");
        assert.deepEqual(JSON.parse(await readFile(file, "utf8")), boat);
        assert.equal(existsSync(join(runtime, "boats")), engine === "files");
      } finally {
        await site.close();
      }
    }
  });

  it("stores the changes of a site that has pages, and of no other", async () => {
    for (const plugins of [["health"], ["content", "markdown"]]) {
      const site = await bootSite({ plugins });
      const context = site.site.context("test");
      const hasPages = plugins.includes("content");
      const store = context.engines.slot("changeStore").activeName;
      assert.equal(store, hasPages ? "records" : "memory");
      assert.notEqual(await context.changes.journal.cursor(), "");
      const isOnDisk = existsSync(join(context.paths.runtime, "changes"));
      await site.close();
      assert.equal(isOnDisk, hasPages);
    }
  });
});
