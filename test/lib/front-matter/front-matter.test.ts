import assert from "node:assert/strict";
import {
  joinFile,
  splitFile,
} from "../../../plugins/panel/client/screens/editor/front-matter/edited-text.js";
import { findFrontMatter } from "../../../plugins/content/read/front-matter/fences.js";

/** Texts whose front matter is easily seen in two ways. */
const TEXTS = [
  "---\ntitle: a\n---\nText\n",
  "---\ntitle: a\n---",
  "---\ntitle: a\n...\nText\n",
  "---\r\ntitle: a\r\n---\r\nText\r\n",
  "\uFEFF---\ntitle: a\n---\nText\n",
  "---yaml\ntitle: a\n---\n",
  "---toml\ntitle = 'a'\n---\n",
  "+++\ntitle = 'a'\n+++\nText\n",
  "+++\ntitle = 'a'\n---\nText\n",
  "\n---\n\ntitle: x\n---\nT\n",
  "\n+++\n[a]\nb = 1\n+++\nT",
  "<!-- a+++b -->\n---\ntitle: x\n---\n",
  "<!-- a -->\n<!-- b -->\n\n---\ntitle: x\n---\nT\n",
  "<!-- a\nb -->\n---\n'title': x\n---\nT\n",
  "\n---\nJust a rule, and more text\n---\n",
  "---\ntext: a\u2028---\nb: c\n---\nText\n",
  "---\ntitle: never closed\n",
  "---",
  "",
  "Text\n---\ntitle: a\n---\n",
];

describe("the fences of front matter", () => {
  for (const text of TEXTS) {
    it(`are the same for the server and the panel: ${JSON.stringify(text)}`, () => {
      const bytes = Buffer.from(text);
      const range = findFrontMatter(bytes);
      const isFound = range !== null && !("isUnclosed" in range);
      const file = splitFile(text);
      assert.equal(joinFile(file), text);
      assert.equal(file.close !== "", isFound);
      if (!isFound) return;
      assert.equal(file.yaml, bytes.toString("utf8", range.start, range.end));
      assert.equal(file.body, bytes.toString("utf8", range.bodyOffset));
      assert.equal(file.syntax, range.syntax);
    });
  }

  it("are found in time that grows with the text only", () => {
    // Each comment could once end at the end of every later one.
    const text = "<!-- a -->\n".repeat(1_000);
    assert.equal(splitFile(`${text}text\n`).body.length, text.length + 5);
    assert.equal(splitFile(`${text}---\ntitle: a\n---\n`).yaml, "title: a\n");
  });
});
