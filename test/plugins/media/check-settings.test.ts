import assert from "node:assert/strict";
import type { Settings } from "#kernel";
import { checkImageSettings } from "../../../plugins/media/check-settings.js";

function settings(cacheDir: string, contentDir = "content"): Settings {
  // The check only reads these keys.
  return {
    system: { images: { cache_dir: cacheDir }, content: { dir: contentDir } },
    admin: { dataDir: "data" },
  } as unknown as Settings;
}

describe("checkImageSettings", () => {
  for (const folder of [".dune/cache/images", "cache", "content-cache", "a/content"]) {
    it(`accepts ${folder} as the cache folder`, () =>
      assert.deepEqual(checkImageSettings(settings(folder)), []));
  }

  for (const folder of [
    "content",
    "content/",
    "content/cache",
    "./content/x",
    "data",
    "data/images",
    "themes/x",
    "a/../content",
  ]) {
    it(`rejects ${folder} as the cache folder`, () => {
      const [problem] = checkImageSettings(settings(folder));
      assert.deepEqual(
        [problem?.file, problem?.key, problem?.received],
        ["system", "images.cache_dir", folder],
      );
    });
  }

  it("rejects a folder that contains the content", () => {
    assert.equal(checkImageSettings(settings("site", "site/content")).length, 1);
  });
});
