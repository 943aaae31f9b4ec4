import assert from "node:assert/strict";
import { parse } from "yaml";
import {
  listSources,
  addTheme,
  removeSource,
  replaceSource,
} from "../../../plugins/packages/sources.js";

/** The text without the source of that name. */
function without(text: string, name: string): string {
  const source = listSources({ site: parse(text) }).find((one) => one.name === name);
  assert.ok(source, `${name} is named`);
  return removeSource(text, source);
}

describe("removeSource", () => {
  it("removes an entry from a list or a map, and keeps comments and order", () => {
    const list =
      "# top\nplugins: # ours\n  - ./a.ts # a\n  - src: npm:b@1.0.0\n    config: {}\nurl: http://x.example # u\n";
    assert.equal(
      without(list, "b"),
      "# top\nplugins: # ours\n  - ./a.ts # a\nurl: http://x.example # u\n",
    );
    const map =
      "plugins:\n  a: { src: ./a.ts }\n  # about b\n  b: { src: 'npm:b@1.0.0' }\ntitle: T\n";
    assert.equal(
      without(map, "a"),
      "plugins:\n  # about b\n  b: { src: 'npm:b@1.0.0' }\ntitle: T\n",
    );
  });

  it("removes the key with its last entry", () => {
    assert.equal(without("title: T\nplugins:\n  - npm:b@1.0.0\n", "b"), "title: T\n");
    assert.equal(
      without("title: T\nthemes:\n  - {name: x, src: npm:x@1.0.0}\n", "x"),
      "title: T\n",
    );
    assert.equal(without("title: T\ntheme:\n  name: x\n  src: npm:x@1.0.0\n", "x"), "title: T\n");
    assert.equal(
      without("theme:\n  name: x\n  src: npm:x@1.0.0\n  parent: default\n", "x"),
      "theme:\n  parent: default\n",
    );
  });

  it("rejects a source from another file", () => {
    const [source] = listSources({ site: { plugins: ["npm:b@1.0.0"] } });
    assert.ok(source);
    assert.throws(() => removeSource("title: T\n", source), { code: "ERR_PACKAGE_ENTRY" });
  });
});

describe("replaceSource", () => {
  it("changes the specifier of plugins and themes, and nothing else", () => {
    const text =
      "description: npm:a@1.0.0\nplugins:\n  - npm:a@1.0.0 # pinned\n  - src: 'npm:a@1.0.0'\nthemes: [{name: a, src: npm:a@1.0.0}]\n";
    assert.equal(
      replaceSource(text, "npm:a@1.0.0", "npm:a@^2.0.0"),
      "description: npm:a@1.0.0\nplugins:\n  - npm:a@^2.0.0 # pinned\n  - src: 'npm:a@^2.0.0'\nthemes: [{name: a, src: npm:a@^2.0.0}]\n",
    );
  });
});

describe("addTheme", () => {
  it("adds a theme, or makes it the active one", () => {
    const src = "npm:@acme/sepia@^1.0.0";
    assert.equal(
      addTheme("title: T\n", { src, use: false }),
      `title: T\nthemes:\n  - name: sepia\n    src: ${src}\n`,
    );
    assert.equal(
      addTheme("theme:\n  name: default # look\n", { src, name: "brown", use: true }),
      `theme:\n  name: brown # look\n  src: ${src}\n`,
    );
  });
});
