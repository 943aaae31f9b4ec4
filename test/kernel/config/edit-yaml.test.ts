import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDocument } from "yaml";
import { setConfigKeys } from "#kernel";
import { configValues } from "#lib/yaml";
import { assertLinearIn } from "../../support/growth.js";

describe("setConfigKeys", () => {
  const set = (text: string, key: string, value: unknown) =>
    setConfigKeys("site", text, [{ key, value }]);
  it("changes one value and keeps every comment", () => {
    const text = "# top\na: 1 # one\n\n# about b\nb:\n  # inner\n  c: x # see\n";
    assert.equal(set(text, "b.c", "y"), text.replace("c: x", "c: y"));
    assert.equal(set(text, "b.c", null).startsWith("# top\na: 1 # one\n\n# about b\n"), true);
  });
  it("keeps every other byte, however the file is formatted", () => {
    const text =
      "a:   1   # one\nlist: [x,y]\nb:\n    c: 'x'  # see\n    d: >\n      folded\n      text\n\nredirects: {}\nlast: |\n  a\n  b\n";
    assert.equal(set(text, "b.c", "y"), text.replace("'x'", "'y'"));
    assert.equal(set(text, "b.d", 3), text.replace(">\n      folded\n      text", "3"));
    assert.equal(
      set(text, "b.e", { f: [1] }),
      text.replace("text\n", "text\n    e:\n        f:\n            - 1\n"),
    );
    assert.equal(set(text, "b.c", null), text.replace("    c: 'x'  # see\n", ""));
    assert.equal(set(text, "list", ["z"]), text.replace("[x,y]", "[z]"));
    assert.equal(
      set(text, "redirects.x", "/y"),
      text.replace("redirects: {}", "redirects:\n    x: /y"),
    );
    assert.equal(set(text, "z", "it's #1"), `${text}z: "it's #1"\n`);
    assert.equal(set(text, "a", "no"), text.replace("   1 ", "   no "));
    const windows = text.replaceAll("\n", "\r\n");
    assert.equal(set(windows, "b.c", "y"), windows.replace("'x'", "'y'"));
  });
  it("sets a key of an item of a list", () => {
    const text =
      "plugins:\n  - ./a.ts\n  - src: ./b.ts  # mine\n    config:\n        x: 1\n  - { src: ./c.ts }\n";
    assert.equal(set(text, "plugins.1.config.x", 2), text.replace("x: 1", "x: 2"));
    assert.equal(
      set(text, "plugins.1.config.y", "z"),
      text.replace("x: 1\n", "x: 1\n        y: z\n"),
    );
    assert.equal(
      set(text, "plugins.2.config.x", 1),
      text.replace("c.ts }", "c.ts, config: {x: 1} }"),
    );
    assert.throws(() => set(text, "plugins.0.config.x", 1), { code: "ERR_CONFIG_KEY" });
    assert.throws(() => set(text, "plugins.3.config.x", 1), { code: "ERR_CONFIG_KEY" });
    assert.throws(() => set(text, "plugins.a.config.x", 1), { code: "ERR_CONFIG_KEY" });
  });
  it("changes only the items of a list that differ", () => {
    const text =
      "groups:\n  # of the harbour\n  - [ship,boat]  # both\n  - [pier, quay]\n  # the rest\n  - [tea, cup]\nz: 1\n";
    const groups = (...all: string[][]) => set(text, "groups", all);
    const [ships, piers, teas] = [
      ["ship", "boat"],
      ["pier", "quay"],
      ["tea", "cup"],
    ];
    assert.equal(groups(ships, piers, teas), text);
    assert.equal(groups(ships, ["pier", "jetty"], teas), text.replace("quay", "jetty"));
    assert.equal(
      groups(ships, teas),
      text.replace("  - [pier, quay]\n  # the rest\n", "  # the rest\n"),
    );
    assert.equal(
      groups(ships, piers, teas, ["a", "b"]),
      text.replace("cup]\n", "cup]\n  - [a, b]\n"),
    );
    assert.equal(
      groups(["a", "b"], ships, piers, teas),
      text.replace("  - [ship", "  - [a, b]\n  - [ship"),
    );
  });
  it("reads a large file once for all changes", () => {
    assertLinearIn("a change of many keys", 10_000, (length) => {
      const text = Array.from({ length }, (_, at) => `key${at}: ${at}\n`).join("");
      const changes = Array.from({ length: length / 100 }, (_, at) => ({
        key: `new${at}`,
        value: at,
      }));
      const changed = text + changes.map(({ key, value }) => `${key}: ${value}\n`).join("");
      return () => assert.equal(setConfigKeys("admin", text, changes), changed);
    });
  });
  it("has the same values as the parsed file, after any change", () => {
    const key = fc.constantFrom("b", "c.d", "c.e", "f.g.h");
    const value = fc.oneof(
      fc.constantFrom("x: y", "# no", "- a", "", "true", "1", " s ", "a\nb\n", "{", "*x", "&x"),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string(), { maxLength: 2 }),
    );
    const start = fc.constantFrom<string>(
      "",
      "a: 1 # one\nc: { d: 1, e: x }\n",
      "c:\n    d: |-\n      text\n    # end\nf:\n",
      "a: &x [1]\nb: *x\nf: {g: {h: 'q'}} # f",
    );
    fc.assert(
      fc.property(start, fc.array(fc.tuple(key, value), { maxLength: 5 }), (text, changes) => {
        for (const [path, next] of changes) {
          const parsed = parseDocument(text);
          const parts = path.split(".");
          if (next === null) {
            if (parsed.hasIn(parts)) parsed.deleteIn(parts);
          } else {
            for (let depth = 1; depth < parts.length; depth += 1) {
              if (parsed.getIn(parts.slice(0, depth)) === null)
                parsed.deleteIn(parts.slice(0, depth));
            }
            parsed.setIn(parts, parsed.createNode(next));
          }
          text = set(text, path, next);
          assert.deepEqual(configValues(text), parsed.toJS() ?? {});
        }
      }),
    );
  });
  it("creates the maps above a key, and ignores the deletion of a missing one", () => {
    assert.equal(set("", "a.b.c", [1]), "a:\n  b:\n    c:\n      - 1\n");
    assert.equal(set("a: 1\n", "x.y", null), "a: 1\n");
    assert.equal(set("a:\n", "a.b", 1), "a:\n  b: 1\n");
  });
  it("keeps Windows line ends", () => assert.equal(set("a: 1\r\n", "b", 2), "a: 1\r\nb: 2\r\n"));
  it("writes below `admin:` where admin.yaml is structured like that", () => {
    assert.equal(
      setConfigKeys("admin", "admin:\n  path: /a\n", [{ key: "path", value: "/b" }]),
      "admin:\n  path: /b\n",
    );
  });
  for (const key of [
    "__proto__.x",
    "a.constructor",
    "",
    "a..b",
    "a b",
    "a[0]",
    Array(17).fill("a").join("."),
  ]) {
    it(`rejects ${JSON.stringify(key.slice(0, 20))}`, () => {
      assert.throws(() => set("a: {}\n", key, 1), { code: "ERR_CONFIG_KEY", status: 400 });
    });
  }
  for (const text of ["a: [", "- 1\n", "a: &a [*a]\n", "b: &b [x]\na: *b\n"]) {
    it(`rejects a file that holds ${JSON.stringify(text)}`, () =>
      assert.throws(() => set(text, "b", 1), { status: 400 }));
  }
});
