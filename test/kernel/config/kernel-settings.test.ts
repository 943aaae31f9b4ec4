import assert from "node:assert/strict";
import { loadConfig, places } from "../../support/sites/config-root.js";

const problemsOf = async (file: "site" | "system" | "admin", yaml: string) => {
  const files =
    file === "site"
      ? { "site.yaml": `title: T\n${yaml}` }
      : { "site.yaml": "title: T", [`${file}.yaml`]: yaml };
  return places((await loadConfig(files)).problems).map((place) => place.split(" ")[1]);
};

describe("the kernel's own settings", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"]) {
    it(`accept the time zone ${zone}`, async () => {
      assert.deepEqual(await problemsOf("system", `timezone: ${zone}`), []);
    });
  }
  for (const zone of ["Mars/Olympus", "''", "Europe", "7"]) {
    it(`reject the time zone ${zone}`, async () => {
      assert.deepEqual(await problemsOf("system", `timezone: ${zone}`), ["timezone"]);
    });
  }
  for (const folder of ["..", "a/../../b", "/var/data", ".", "''", "a\\b", '"a\\0b"', "C:/x"]) {
    it(`reject ${folder} as a folder in the site`, async () => {
      assert.deepEqual(await problemsOf("admin", `dataDir: ${folder}`), ["dataDir"]);
    });
  }
  for (const folder of ["run", "var/data", ".dune/x", "a..b"]) {
    it(`accept ${folder} as a folder in the site`, async () => {
      assert.deepEqual(await problemsOf("admin", `runtimeDir: ${folder}`), []);
    });
  }
  for (const plugins of [
    "[]",
    "{}",
    "[a]",
    "[{ src: ./x, config: { deep: { er: [1] } }, enabled: false }]",
    "{ a: true, b: null, c: { src: x } }",
  ]) {
    it(`accept plugins: ${plugins}`, async () => {
      const found = await problemsOf("site", `plugins: ${plugins}`);
      assert.deepEqual(
        found.filter((key) => !/^plugins(\[|\.[a-c])/.test(key ?? "")),
        [],
      );
    });
  }
  for (const plugins of [
    "7",
    "text",
    "[7]",
    "[{ src: 7 }]",
    "{ a: 7 }",
    "[{ src: a, sorce: b }]",
  ]) {
    it(`reject plugins: ${plugins}`, async () => {
      const found = await problemsOf("site", `plugins: ${plugins}`);
      assert.ok(found.length > 0 && found.every((key) => key?.startsWith("plugins")));
    });
  }
  it("require a title that is not empty", async () => {
    assert.deepEqual(places((await loadConfig({ "site.yaml": "title: ''" })).problems), [
      "site.yaml:1:1 title",
    ]);
    assert.deepEqual(places((await loadConfig({ "site.yaml": "title:" })).problems), [
      "site.yaml:1:1 title",
    ]);
  });
});
