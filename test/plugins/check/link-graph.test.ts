import assert from "node:assert/strict";
import { LinkGraph } from "../../../plugins/check/link-graph.js";
import { bootPages } from "../../support/sites/check-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";

describe("the graph of links", () => {
  let site: TestSite;
  before(async () => {
    site = await bootPages({ "content/03.x/default.md": "[bad](/none) [own](/foreign/x)" });
  });
  after(() => site.close());
  const content = () => site.site.use("content");
  const open = () => new LinkGraph(content(), (path) => path.startsWith("/foreign/"));

  it("tries again after a failure", async () => {
    const real = content();
    const failing = { count: 0 };
    const graph = new LinkGraph(
      {
        ...real,
        generation: () => real.generation(),
        view: (viewer) => real.view(viewer),
        viewAll: (moment) => real.viewAll(moment),
        mediaFile: (folder, name) => real.mediaFile(folder, name),
        // A disk that fails has no version either.
        version: (entry) => (failing.count === 0 ? null : real.version(entry)),
        source: async (path) => {
          if (failing.count++ === 0) throw new Error("disk");
          return real.source(path);
        },
      },
      () => false,
    );
    await assert.rejects(graph.links(), /disk/);
    assert.equal((await graph.links()).all.length, 3);
  });

  it("is built once per generation, and again after a change", async () => {
    const graph = open();
    const before = await graph.links();
    assert.equal(await graph.links(), before);
    await content().apply([{ op: "write", path: "03.x/default.md", content: "[home](/)" }]);
    const after = await graph.links();
    assert.notEqual(after, before);
    assert.deepEqual([after.all.length, after.to.get("01.home/default.md")?.length], [2, 1]);
  });
});
