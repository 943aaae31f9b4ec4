import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openInside } from "../../../../plugins/media/originals/open-file.js";
import { useFolder } from "../../../support/folder.js";

describe("openInside", () => {
  const folder = useFolder();
  const root = () => join(folder.path, "content");
  beforeEach(async () => {
    await mkdir(join(root(), "a"), { recursive: true });
    await mkdir(join(folder.path, "outside"));
    await writeFile(join(root(), "a", "x.jpg"), "inside");
    await writeFile(join(folder.path, "outside", "x.jpg"), "canary");
  });

  async function text(...parts: string[]): Promise<string | null> {
    const opened = await openInside(root(), join(root(), ...parts));
    if (opened === null) return null;
    const content = await opened.handle.readFile("utf8");
    await opened.handle.close();
    return content;
  }

  it("opens a file and returns its state", async () => {
    const opened = await openInside(root(), join(root(), "a", "x.jpg"));
    assert.equal(opened?.stamp.size, 6);
    await opened?.handle.close();
  });

  it("follows links that stay inside", async () => {
    await symlink("x.jpg", join(root(), "a", "link.jpg"));
    assert.equal(await text("a", "link.jpg"), "inside");
  });

  it("does not follow links that lead outside", async () => {
    await symlink(join(folder.path, "outside"), join(root(), "evil"));
    await symlink(join(folder.path, "outside", "x.jpg"), join(root(), "evil.jpg"));
    await symlink("loop.jpg", join(root(), "loop.jpg"));
    for (const name of [
      ["evil", "x.jpg"],
      ["evil.jpg"],
      ["loop.jpg"],
      ["..", "outside", "x.jpg"],
    ]) {
      assert.equal(await text(...name), null, name.join("/"));
    }
  });

  it("rejects folders, pipes and missing files, without waiting", async () => {
    execFileSync("mkfifo", [join(root(), "pipe.jpg")]);
    for (const name of ["a", "pipe.jpg", "none.jpg"]) assert.equal(await text(name), null, name);
  });

  it("leaks nothing while a folder is repeatedly replaced by a link", async () => {
    const [plain, aside, evil] = ["a", "aside", "evil"].map((name) => join(root(), name));
    assert.ok(plain && aside && evil);
    await symlink(join(folder.path, "outside"), evil);
    const turning = { on: true };
    const turn = (async () => {
      while (turning.on) {
        await rename(plain, aside);
        await rename(evil, plain);
        await rename(plain, evil);
        await rename(aside, plain);
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string | null>();
    for (let round = 0; round < 1_500; round += 1) seen.add(await text("a", "x.jpg"));
    turning.on = false;
    await turn;
    assert.ok(!seen.has("canary"), "read outside");
    assert.equal(await text("a", "x.jpg"), "inside");
  });
});
