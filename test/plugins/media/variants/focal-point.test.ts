import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSidecarFocal, toFocal } from "../../../../plugins/media/variants/focal-point.js";
import { useFolder } from "../../../support/folder.js";

describe("readSidecarFocal", () => {
  const folder = useFolder();
  const path = () => join(folder.path, "a.jpg.meta.yaml");

  for (const [text, focal] of [
    ["focal_point: [10, 90.5]", { x: 10, y: 90.5 }],
    ["alt: x\nfocal: [0, 100]", { x: 0, y: 100 }],
    ["focal_point: [10]", null],
    ["focal_point: [10, 101]", null],
    ["focal_point: ['10', '20']", null],
    ["focal_point: 10, 20", null],
    ["focal_point: [broken", null],
    ["- a list", null],
    ["", null],
    ["\0\x01", null],
    ["a: &a [1]\nb: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nfocal_point: *none", null],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(focal)}`, async () => {
      await writeFile(path(), text);
      const read = await readSidecarFocal(folder.path, path());
      assert.deepEqual(read.focal, focal);
      assert.ok(read.stamp !== null);
    });
  }

  it("returns no point for a missing or huge sidecar, or one outside", async () => {
    assert.deepEqual(await readSidecarFocal(folder.path, path()), { focal: null, stamp: null });
    await writeFile(path(), `focal_point: [1, 2]\n#${"x".repeat(70_000)}`);
    assert.equal((await readSidecarFocal(folder.path, path())).focal, null);
    const inner = join(folder.path, "content");
    await mkdir(inner);
    await writeFile(path(), "focal_point: [1, 2]");
    await symlink(path(), join(inner, "x.meta.yaml"));
    assert.equal((await readSidecarFocal(inner, join(inner, "x.meta.yaml"))).stamp, null);
  });
});

describe("toFocal", () => {
  it("accepts two percentages only", () => {
    assert.deepEqual(toFocal(0, 100), { x: 0, y: 100 });
    for (const [x, y] of [
      [-1, 5],
      [5, 101],
      ["5", 5],
      [Number.NaN, 5],
      [undefined, 5],
    ]) {
      assert.equal(toFocal(x, y), null);
    }
  });
});
