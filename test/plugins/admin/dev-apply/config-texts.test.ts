import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigFiles } from "../../../../plugins/admin/config-files.js";
import { ConfigTexts } from "../../../../plugins/admin/dev-apply/config-texts.js";

describe("ConfigTexts", () => {
  for (const isDry of [false, true]) {
    it(`gives each edit the text that the one before has left (${isDry ? "dry" : "real"})`, async () => {
      const root = await mkdtemp(join(tmpdir(), "site-texts-"));
      try {
        const paths = { root, content: "", data: "", runtime: "", cache: "" };
        const texts = new ConfigTexts(new ConfigFiles({ paths, checkConfig: async () => [] }), {
          isDry,
        });
        assert.equal((await texts.edit("site", () => "a: 1\n")).status, "created");
        assert.equal((await texts.edit("site", (text) => text)).status, "skipped");
        assert.equal((await texts.edit("site", (text) => `${text}b: 2\n`)).status, "updated");
        assert.equal((await texts.read("site")).text, "a: 1\nb: 2\n");
        assert.deepEqual(await readdir(root), isDry ? [] : ["site.yaml"]);
      } finally {
        await rm(root, { recursive: true });
      }
    });
  }
});
