import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigFileWriter } from "#kernel";
import { ConfigTexts } from "../../../../plugins/admin/dev-apply/apply-batch.js";

describe("ConfigTexts", () => {
  for (const isDry of [false, true]) {
    it(`passes each edit the text left by the previous one (${isDry ? "dry" : "real"})`, async () => {
      const root = await mkdtemp(join(tmpdir(), "site-texts-"));
      try {
        const texts = new ConfigTexts(new ConfigFileWriter(root), { isDry });
        assert.equal((await texts.edit("site", () => "a: 1\n")).status, "created");
        assert.equal((await texts.edit("site", (text) => text)).status, "skipped");
        assert.equal((await texts.edit("site", (text) => `${text}b: 2\n`)).status, "updated");
        assert.equal((await texts.read("site")).text, "a: 1\nb: 2\n");
        const files = (await readdir(root)).filter((name) => name.endsWith(".yaml"));
        assert.deepEqual(files, isDry ? [] : ["site.yaml"]);
      } finally {
        await rm(root, { recursive: true });
      }
    });
  }
});
