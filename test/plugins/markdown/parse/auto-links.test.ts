import assert from "node:assert/strict";
import { renderMarkdown } from "../../../support/content/render-markdown.js";
import type { Root } from "mdast";
import { unlinkBareUrls } from "../../../../plugins/markdown/parse/markdown-parser.js";

const link = (url: string, offset: number | null): Root["children"][number] => ({
  type: "link",
  url,
  children: [{ type: "text", value: url }],
  ...(offset !== null && {
    position: {
      start: { line: 1, column: offset + 1, offset },
      end: { line: 1, column: offset + 2, offset: offset + 1 },
    },
  }),
});
const text = (value: string): Root["children"][number] => ({ type: "text", value });

function after(source: string, ...children: Root["children"]): unknown[] {
  const tree: Root = { type: "root", children };
  unlinkBareUrls(tree, source);
  return tree.children.map((node) => (node.type === "text" ? node.value : node.type));
}

describe("unlinkBareUrls", () => {
  const url = "https://a.example";

  it("merges a bare address with the text around it", () => {
    assert.deepEqual(after(`see ${url} now`, text("see "), link(url, 4), text(" now")), [
      `see ${url} now`,
    ]);
  });

  it("unlinks a link without a position", () => {
    assert.deepEqual(after("", link(url, null)), [url]);
  });

  it("preserves links marked by the author", () => {
    assert.deepEqual(after(`<${url}>`, link(url, 0)), ["link"]);
    assert.deepEqual(after(`a [x](${url})`, text("a "), link(url, 2)), ["a ", "link"]);
  });

  it("handles several links in a row", () => {
    assert.deepEqual(after("", link("a", null), link("b", null), text("c")), ["abc"]);
  });

  it("is controlled by the setting auto_url_links", () => {
    assert.match(renderMarkdown(`see ${url}`), /<a /);
    assert.doesNotMatch(renderMarkdown(`see ${url}`, { autoUrlLinks: false }), /<a /);
    assert.match(renderMarkdown(`see <${url}>`, { autoUrlLinks: false }), /<a /);
  });
});
