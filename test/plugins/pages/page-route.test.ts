import assert from "node:assert/strict";
import { findTarget } from "../../../plugins/pages/page-route.js";
import { contentTree } from "../../support/content/markdown-pages.js";
import { indexOf, viewOf } from "../../support/content/content-tree.js";

describe("findTarget", () => {
  const view = viewOf(
    indexOf({
      "01.home/default.md": "# Home\n",
      "02.blog/default.md": "# Blog\n",
      "02.blog/children/default.md": "# A page named children\n",
      "03.about/default.md": "# About\n",
      "04.gated/default.md": "---\nroles: [member]\n---\n",
      "05.draft/default.md": "---\npublished: false\n---\n",
    }),
  );
  const addresses = contentTree([]).addresses;
  const parts = { view, addresses, base: "https://example.org" };
  const byDefault = { lang: undefined, fallback: true };
  for (const [route, source, part] of [
    ["/", "01.home/default.md", "page"],
    ["/children", "01.home/default.md", "children"],
    ["/blog", "02.blog/default.md", "page"],
    ["/blog/media", "02.blog/default.md", "media"],
    ["/blog/children", "02.blog/children/default.md", "page"],
    ["/blog/children/children", "02.blog/children/default.md", "children"],
    ["/about/children", "03.about/default.md", "children"],
  ] as const) {
    it(`finds ${part} of ${source} at ${route}`, () => {
      const target = findTarget(parts, { route, ...byDefault });
      assert.ok(target.kind === "page");
      assert.deepEqual([target.match.entry.sourcePath, target.part], [source, part]);
    });
  }
  for (const [route, status] of [
    ["/none", 404],
    ["/none/children", 404],
    ["/blog/page:2", 404],
    ["/draft", 404],
    ["/draft/media", 404],
    ["/gated", 401],
    ["/gated/children", 401],
    ["/gated/media", 401],
  ] as const) {
    it(`rejects ${route} with ${status}`, () =>
      assert.throws(() => findTarget(parts, { route, ...byDefault }), { status }));
  }
});
