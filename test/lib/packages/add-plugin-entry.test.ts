import assert from "node:assert/strict";
import { addPluginEntry, nameOfSource } from "#lib/packages";

describe("addPluginEntry", () => {
  it("adds to a list or a map, or creates the list, and keeps comments", () => {
    assert.equal(
      addPluginEntry("title: T # t\n", "npm:kit@1.0.0"),
      "title: T # t\nplugins:\n  - src: npm:kit@1.0.0\n",
    );
    assert.equal(
      addPluginEntry("plugins: # ours\n  - src: ./a.ts # one\n", "npm:kit@1.0.0"),
      "plugins: # ours\n  - src: ./a.ts # one\n  - src: npm:kit@1.0.0\n",
    );
    assert.equal(
      addPluginEntry("plugins:\n  a:\n    src: ./a.ts\n", "npm:@acme/kit@^1.0.0"),
      "plugins:\n  a:\n    src: ./a.ts\n  kit:\n    src: npm:@acme/kit@^1.0.0\n",
    );
  });

  it("uses the name of the folder where that says more, and never a taken one", () => {
    const once = addPluginEntry("plugins: {}\n", "./plugins/boats/index.ts");
    assert.equal(once, "plugins:\n  boats:\n    src: ./plugins/boats/index.ts\n");
    const twice = addPluginEntry(once, "./boats.ts");
    assert.equal(twice, `${once}  boats-2:\n    src: ./boats.ts\n`);
    const thrice = addPluginEntry(twice, "./more/boats.ts");
    assert.equal(thrice, `${twice}  boats-3:\n    src: ./more/boats.ts\n`);
  });

  for (const text of [
    "plugins:\n  - src: npm:kit@1.0.0\n",
    "plugins:\n  - npm:kit@1.0.0\n",
    "plugins: { kit: { src: 'npm:kit@1.0.0' } }\n",
  ]) {
    it(`leaves ${JSON.stringify(text)} unchanged`, () =>
      assert.equal(addPluginEntry(text, "npm:kit@1.0.0"), text));
  }

  it("rejects a `plugins` that is neither", () => {
    assert.throws(() => addPluginEntry("plugins: yes\n", "npm:kit@1.0.0"), {
      code: "ERR_CONFIG_KEY",
    });
  });
});

describe("nameOfSource", () => {
  for (const src of [
    "npm:@acme/shop-kit@1.0.0",
    "./plugins/shop-kit.ts",
    "./plugins/shop-kit/index.ts",
    "file:./vendor/shop-kit-1.0.0.tgz",
    "file:./shop-kit-1.0.0-beta.1.tar.gz",
    "git+https://host/acme/shop-kit.git#0123",
    "git+ssh://git@host/acme/shop-kit#0123",
  ]) {
    it(`is shop-kit for ${src}`, () => assert.equal(nameOfSource(src), "shop-kit"));
  }
});
