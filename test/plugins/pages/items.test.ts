import assert from "node:assert/strict";
import {
  toChildItem,
  toListItem,
  toMediaItem,
  toUnpublishedItem,
} from "../../../plugins/pages/items.js";
import { indexOf } from "../../support/content/content-tree.js";

describe("items of the API", () => {
  it("have the encoded address as route and an empty string without a date", () => {
    const text = "---\ntitle: T\n---\n";
    const sources = { "01.home/default.md": "# Home\n", "02.größe/post.md": text };
    const entry = indexOf(sources).entries[1] ?? assert.fail("two pages");
    assert.deepEqual(toListItem(entry), {
      route: "/gr%C3%B6%C3%9Fe",
      title: "T",
      date: "",
      template: "post",
      format: "md",
      published: true,
      taxonomy: {},
    });
    assert.equal(toChildItem(entry).order, 2);
  });

  it("are marked as unpublished when not public, regardless of front matter", () => {
    for (const line of ["published: false", "status: in_review", "publish_date: 2099-01-01"]) {
      const [entry = assert.fail("one page")] = indexOf({ "a.md": `---\n${line}\n---\n` }).entries;
      assert.equal(toUnpublishedItem(entry).published, false, line);
    }
  });

  it("include the sidecar of a media file on request", () => {
    const item = {
      name: "a.png",
      url: "/a.png",
      type: "image/png",
      size: 1,
      meta: { alt: "A" },
      mtimeMs: 1,
    };
    assert.deepEqual(toMediaItem(item, false), {
      name: "a.png",
      url: "/a.png",
      type: "image/png",
      size: 1,
    });
    assert.deepEqual(toMediaItem(item, true), {
      name: "a.png",
      url: "/a.png",
      type: "image/png",
      size: 1,
      meta: { alt: "A" },
    });
  });
});
