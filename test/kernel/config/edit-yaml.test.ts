import assert from "node:assert/strict";
import { setConfigKeys } from "#kernel/internal";

describe("setConfigKeys", () => {
  const set = (text: string, key: string, value: unknown) =>
    setConfigKeys("site", text, [{ key, value }]);
  it("changes one value and keeps every comment", () => {
    const text = "# top\na: 1 # one\n\n# about b\nb:\n  # inner\n  c: x # see\n";
    assert.equal(set(text, "b.c", "y"), text.replace("c: x", "c: y"));
    assert.equal(set(text, "b.c", null).startsWith("# top\na: 1 # one\n\n# about b\n"), true);
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
  for (const text of ["a: [", "- 1\n", "a: &a [*a]\n"]) {
    it(`rejects a file that holds ${JSON.stringify(text)}`, () =>
      assert.throws(() => set(text, "b", 1), { status: 400 }));
  }
});
