import assert from "node:assert/strict";
import { loosePage, topEntry } from "../../../../plugins/markdown/parse/loose-page.js";
import { mediaItem, pageEntry } from "../../../support/markdown-pages.js";

describe("loosePage", () => {
  it("has the whole text as body, in the folder of its base", () => {
    const [base, media] = [pageEntry("a/post.md"), [mediaItem("a", "b.png")]];
    const text = "---\nnot: front matter\n---\n";
    assert.deepEqual(loosePage(text, base, media), { entry: base, raw: text, body: text, media });
  });
});

describe("topEntry", () => {
  it("has no file and is in no list", () => {
    const { sourcePath, folder, route, lang, routable, visible } = topEntry("de");
    assert.deepEqual([sourcePath, folder, route, lang], ["", "", "/", "de"]);
    assert.deepEqual([routable, visible], [false, false]);
  });
});
