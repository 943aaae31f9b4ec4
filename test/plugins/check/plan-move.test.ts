import assert from "node:assert/strict";
import { planMove } from "../../../plugins/check/plan-move.js";
import type { PageMove } from "../../../plugins/check/contract.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { linksOf } from "../../support/oracles/check-links.js";

describe("the plan of a move", () => {
  let site: TestSite;
  afterEach(() => site.close());

  /** Path to text of the written pages; the moves come first. */
  async function written(sources: Record<string, string>, moves: PageMove[]) {
    const files = Object.entries(sources).map(([path, text]) => [`content/${path}`, text] as const);
    site = await bootSite({ files: Object.fromEntries(files), plugins: ["content"] });
    const plan = await planMove(
      site.site.use("content"),
      await linksOf(sources, ["01.a/p q.png"]),
      moves,
    );
    assert.deepEqual(
      plan.slice(0, moves.length),
      moves.map((move) => ({ op: "move", ...move })),
    );
    return plan
      .slice(moves.length)
      .map((change) => (change.op === "write" ? [change.path, change.content] : change.op));
  }
  const move = (path: string, to: string): PageMove[] => [{ path, to }];

  it("rewrites routes, files and suffixes that point to moved pages, and nothing else", async () => {
    const text = "[r](/b?x#y) [f](../02.b/default.md#z) [c](/c) `/b` [e](https://b.example/b)";
    const sources = { "01.a/default.md": text, "02.b/default.md": "# B", "03.c/default.md": "# C" };
    assert.deepEqual(await written(sources, move("02.b", "04.new")), [
      [
        "01.a/default.md",
        "[r](/new?x#y) [f](../04.new/default.md#z) [c](/c) `/b` [e](https://b.example/b)",
      ],
    ]);
  });

  it("encodes names with characters of URLs in addresses", async () => {
    const sources = {
      "01.a/default.md": "[c](/c%23%20x) [f](../02.c%23%20x/default.md) [i](p%20q.png)",
      "02.c# x/default.md": "# C",
    };
    assert.deepEqual(await written(sources, move("02.c# x", "02.what? (ü)")), [
      [
        "01.a/default.md",
        "[c](/what%3F%20(%C3%BC)) [f](../02.what%3F%20%28%C3%BC%29/default.md) [i](p%20q.png)",
      ],
    ]);
  });

  it("keeps the part before the path in a link from the root of a repository", async () => {
    const sources = { "01.a/default.md": "[b](/docs/02.b/default.md#z)", "02.b/default.md": "# B" };
    assert.deepEqual(await written(sources, move("02.b", "04.new")), [
      ["01.a/default.md", "[b](/docs/04.new/default.md#z)"],
    ]);
  });

  it("rewrites the relative links of the moved page", async () => {
    const sources = {
      "01.a/default.md": "[c](../03.c/default.md) [own](p%20q.png) [root](/c)",
      "03.c/default.md": "# C",
    };
    assert.deepEqual(await written(sources, move("01.a", "03.c/01.a")), [
      ["03.c/01.a/default.md", "[c](../default.md) [own](p%20q.png) [root](/c)"],
    ]);
  });

  it("writes nothing when the links between pages that move together still work", async () => {
    const sources = { "01.a/default.md": "# A", "01.a/x/default.md": "[up](../default.md)" };
    assert.deepEqual(await written(sources, move("01.a", "02.b")), []);
  });

  it("escapes brackets in the new path", async () => {
    const sources = { "01.a/default.md": "[b](../02.b/default.md)", "02.b/default.md": "# B" };
    assert.deepEqual(await written(sources, move("02.b", "02.b (old)")), [
      ["01.a/default.md", "[b](../02.b%20%28old%29/default.md)"],
    ]);
  });

  it("excludes a page that has changed since its links were read", async () => {
    const sources = { "01.a/default.md": "[b](/b)", "02.b/default.md": "# B" };
    const links = await linksOf(sources);
    site = await bootSite({
      files: { "content/01.a/default.md": "[b](/b) more", "content/02.b/default.md": "# B" },
      plugins: ["content"],
    });
    const plan = await planMove(site.site.use("content"), links, move("02.b", "03.c"));
    assert.deepEqual(
      plan.map(({ op }) => op),
      ["move"],
    );
  });
});
