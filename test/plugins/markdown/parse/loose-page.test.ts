import assert from "node:assert/strict";
import { isLoose, loosePage, topEntry } from "../../../../plugins/markdown/parse/loose-page.js";
import { mediaItem, pageEntry } from "../../../support/content/markdown-pages.js";

describe("loosePage", () => {
  it("has the whole text as body, in the folder of its base", () => {
    const [base, media] = [pageEntry("a/post.md"), [mediaItem("a", "b.png")]];
    const text = "---\nnot: front matter\n---\n";
    const { entry, ...rest } = loosePage(text, base, media);
    assert.deepEqual(rest, { raw: text, body: text, media });
    assert.deepEqual({ ...entry, hash: base.hash }, base);
    assert.deepEqual([isLoose(entry), isLoose(base)], [true, false]);
  });
});

describe("topEntry", () => {
  it("has no file and is in no list", () => {
    const { sourcePath, folder, route, lang, routable, visible } = topEntry("de");
    assert.deepEqual([sourcePath, folder, route, lang], ["", "", "/", "de"]);
    assert.deepEqual([routable, visible], [false, false]);
  });
});
