import assert from "node:assert/strict";
import type { Generation, PageEntry } from "../../../plugins/content/contract.js";
import { FolderNames, splitMediaPath } from "../../../plugins/media/params.js";

describe("splitMediaPath", () => {
  it("splits folder and name", () => {
    assert.deepEqual(splitMediaPath("02.blog/01.a/x.jpg"), {
      folder: "02.blog/01.a",
      name: "x.jpg",
    });
    assert.deepEqual(splitMediaPath("x.jpg"), { folder: "", name: "x.jpg" });
    assert.deepEqual(splitMediaPath("a b/ü%.jpg"), { folder: "a b", name: "ü%.jpg" });
  });

  const hostile = [
    "",
    "/",
    "/etc/passwd",
    "../x.jpg",
    "a/../x.jpg",
    "a//x.jpg",
    "a/",
    "a/.env",
    ".git/config",
  ];
  for (const path of [...hostile, "a\\x.jpg", "a/x\0.jpg", "./x.jpg", "a/x\n.jpg"]) {
    it(`rejects ${JSON.stringify(path)}`, () => assert.equal(splitMediaPath(path), null));
  }
});

describe("FolderNames", () => {
  const state = {
    id: 1,
    folders: ["01.home", "02.blog/03.first", "02.blog/03.first/_gallery", "about"],
  };
  // The map only reads the folder of an entry.
  const generation = () =>
    ({
      id: state.id,
      entries: state.folders.map((folder) => ({ folder }) as PageEntry),
    }) as unknown as Generation;
  const names = new FolderNames(generation);

  it("finds folders by their names without order number, at every depth", () => {
    assert.equal(names.literal("home"), "01.home");
    assert.equal(names.literal("blog"), "02.blog");
    assert.equal(names.literal("blog/first"), "02.blog/03.first");
    assert.equal(names.literal("blog/first/_gallery"), "02.blog/03.first/_gallery");
    assert.equal(names.literal("blog/first/photos/2026"), "02.blog/03.first/photos/2026");
  });

  it("returns null for other names", () => {
    for (const name of ["nowhere", "", "__proto__", "constructor/x"])
      assert.equal(names.literal(name), null);
  });

  it("follows changes of the content", () => {
    state.folders = ["07.blog"];
    assert.equal(names.literal("blog"), "02.blog", "within a generation nothing changes");
    state.id = 2;
    assert.equal(names.literal("blog"), "07.blog");
    assert.equal(names.literal("home"), null);
  });
});
