import assert from "node:assert/strict";
import { chmod, mkdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderDigest } from "../../../lib/packages/installed-packages.js";
import { useFolder } from "../../support/folder.js";

describe("folderDigest", () => {
  const folder = useFolder();
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  const digest = (isLeftOut: (path: string) => boolean = () => false): Promise<string> =>
    folderDigest(folder.path, isLeftOut);
  beforeEach(async () => {
    await mkdir(at("lib"));
    await writeFile(at("index.js"), "one");
    await writeFile(at("lib/two.js"), "two");
  });

  it("is the same for any modes and times of the files", async () => {
    const before = await digest();
    assert.match(before, /^sha512-[\w+/]{86}==$/);
    await chmod(at("index.js"), 0o600);
    await utimes(at("lib/two.js"), 1, 1);
    assert.equal(await digest(), before);
  });

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "another byte": () => writeFile(at("lib/two.js"), "tw0"),
    "another name": () => rename(at("lib/two.js"), at("lib/three.js")),
    "another folder": () => rename(at("lib"), at("src")),
    "one more file": () => writeFile(at("lib/.hidden"), ""),
    "a link in the place of a file": async () => {
      await rename(at("index.js"), at("moved.js"));
      await symlink("moved.js", at("index.js"));
    },
    "text moved between files": async () => {
      await writeFile(at("index.js"), "onetwo");
      await writeFile(at("lib/two.js"), "");
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`changes for ${name}`, async () => {
      const before = await digest();
      await change();
      assert.notEqual(await digest(), before);
    });
  }

  it("omits the given paths", async () => {
    const withoutLib = (path: string): boolean => path === "lib";
    const before = await digest(withoutLib);
    await writeFile(at("lib/two.js"), "other");
    assert.equal(await digest(withoutLib), before);
  });
});
