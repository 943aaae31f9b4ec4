import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sourceFolder, sourceProblem } from "../../../../plugins/render/theme/theme-source.js";
import { useFolder } from "../../../support/folder.js";

describe("sourceProblem", () => {
  for (const src of [
    "./themes/a",
    "npm:theme-a@1.2.3",
    "npm:@scope/theme-a@^1.2",
    "npm:theme-a@~1",
    "file:./vendor/theme-a-1.0.0.tgz",
    `git+https://host/theme-a.git#${"0".repeat(40)}`,
  ]) {
    it(`accepts ${src}`, () => assert.equal(sourceProblem(src), null));
  }
  for (const src of [
    "npm:theme-a",
    "npm:theme-a@latest",
    "npm:theme-a@*",
    "npm:theme-a@>=1",
    "jsr:@scope/theme@^1",
    "https://example.com/theme",
    "file:../theme-a.tgz",
    "git+https://host/theme-a.git#main",
    "../theme",
    "./../theme",
    "/etc",
    "theme-a",
    "",
  ]) {
    it(`rejects ${JSON.stringify(src)} with a fix`, () => {
      assert.ok((sourceProblem(src)?.fix ?? "").length > 0);
    });
  }
});

describe("sourceFolder", () => {
  const folder = useFolder();
  const install = async (version: string): Promise<string> => {
    const place = join(folder.path, "node_modules", "theme-a");
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "package.json"), JSON.stringify({ name: "theme-a", version }));
    return place;
  };

  it("finds an installed package of the right version", async () => {
    const place = await install("1.4.0");
    assert.equal(await sourceFolder(folder.path, "npm:theme-a@^1.2"), place);
  });

  it("rejects another version and names the installed one", async () => {
    await install("2.0.0");
    await assert.rejects(sourceFolder(folder.path, "npm:theme-a@^1.2"), {
      code: "ERR_THEME_SOURCE",
      message: /2\.0\.0/,
    });
  });

  it("rejects a package without a version, with its key", async () => {
    const place = await install("1.4.0");
    await writeFile(join(place, "package.json"), JSON.stringify({ name: "theme-a", version: 1 }));
    await assert.rejects(sourceFolder(folder.path, "npm:theme-a@^1.2"), {
      code: "ERR_THEME_SOURCE",
      message: /version of its package\.json: expected text$/,
    });
  });

  it("reports how to install a missing package", async () => {
    await assert.rejects(sourceFolder(folder.path, "npm:no-such-theme@^1.2"), {
      code: "ERR_THEME_SOURCE",
      fix: "npm install no-such-theme@^1.2",
    });
  });
});
