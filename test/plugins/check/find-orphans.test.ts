import assert from "node:assert/strict";
import { findOrphans } from "../../../plugins/check/find-problems.js";
import type { MediaItem } from "../../../plugins/content/contract.js";
import { linksOf } from "../../support/oracles/check-links.js";

describe("unused media", () => {
  async function orphans(sources: Record<string, string>, media: string[]): Promise<string[]> {
    const content = {
      media: async (folder: string): Promise<MediaItem[]> =>
        media
          .filter((path) => path.slice(0, path.lastIndexOf("/")) === folder)
          .map((path) => ({
            name: path.slice(folder.length + 1),
            url: "",
            type: "",
            size: 1,
            meta: {},
            mtimeMs: 1,
          })),
    };
    const problems = await findOrphans(content, await linksOf(sources, media));
    assert.ok(problems.every(({ severity }) => severity === "warning"));
    return problems.map(({ sourcePath }) => sourcePath);
  }

  it("are those without a link from any page", async () => {
    const media = ["01.a/own.png", "01.a/other.png", "01.a/lost.png"];
    const sources = {
      "01.a/default.md": "![](own.png)",
      "02.b/default.md": "![](/content-media/01.a/other.png)",
    };
    assert.deepEqual(await orphans(sources, media), ["01.a/lost.png"]);
  });

  it("are not those in the front matter of a page beside them", async () => {
    const sources = {
      "01.a/default.md": `---\nimage: 'a "b".png'\ngallery: [{ file: c.png }]\n---\n`,
      "02.b/default.md": "---\nimage: lost.png\n---\n",
    };
    const media = [`01.a/a "b".png`, "01.a/c.png", "01.a/lost.png"];
    assert.deepEqual(await orphans(sources, media), ["01.a/lost.png"]);
  });

  it("are those whose name is only a part of a name in the front matter", async () => {
    const sources = {
      "01.a/default.md": `---\nimage: banana.png\nnote: |\n  first line\n  ./pear.png.\n---\n`,
    };
    const media = ["ana.png", "banana.png", "a.png", "pear.png"].map((name) => `01.a/${name}`);
    assert.deepEqual(await orphans(sources, media), ["01.a/ana.png", "01.a/a.png"]);
  });

  it("are not searched for beside a page that is a program", async () => {
    assert.deepEqual(await orphans({ "01.a/default.mdx": "x" }, ["01.a/x.png"]), []);
  });
});
