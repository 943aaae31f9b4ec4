import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { z } from "zod";
import type { ImageSize } from "../../../../plugins/media/contract.js";
import {
  FileFacts,
  ImageSizes,
  keyOfFile,
} from "../../../../plugins/media/variants/image-sizes.js";
import { useFolder } from "../../../support/folder.js";

describe("ImageSizes", () => {
  const folder = useFolder();

  function sizes(size: ImageSize | null = { width: 40, height: 30 }) {
    const reads: string[] = [];
    const engine = {
      process: () => Promise.reject(new Error("not used")),
      size: (file: string) => {
        reads.push(file);
        return Promise.resolve(size);
      },
    };
    const file = join(folder.path, "sizes.json");
    return { reads, sizes: new ImageSizes({ file, engine: () => engine, log: silentLog }) };
  }

  it("stores sizes across restarts, including missing ones", async () => {
    const image = join(folder.path, "a.jpg");
    await writeFile(image, "one");
    const first = sizes(null);
    assert.equal(await first.sizes.of(image), null);
    await first.sizes.save();
    const second = sizes();
    assert.equal(await second.sizes.of(image), null);
    assert.equal(second.reads.length, 0);
  });

  it("starts empty when its file cannot be read", async () => {
    const image = join(folder.path, "a.jpg");
    await writeFile(image, "one");
    const known = JSON.stringify([[await keyOfFile(image), { width: 0, height: "1" }]]);
    for (const text of ["", "{}", "[1]", `{"basis":"","facts":${known}}`, "\0"]) {
      await writeFile(join(folder.path, "sizes.json"), text);
      assert.deepEqual(await sizes().sizes.of(image), { width: 40, height: 30 });
    }
  });

  it("returns null, and asks again, when the engine cannot read any file", async () => {
    const image = join(folder.path, "a.jpg");
    await writeFile(image, "one");
    const fail = () => Promise.reject(new Error("the image process ended"));
    const outcomes = [fail, () => Promise.resolve({ width: 4, height: 3 })];
    const engine = { process: fail, size: () => (outcomes.shift() ?? fail)() };
    const file = join(folder.path, "sizes.json");
    const failing = new ImageSizes({ file, engine: () => engine, log: silentLog });
    assert.equal(await failing.of(image), null);
    assert.deepEqual(await failing.of(image), { width: 4, height: 3 });
  });

  it("returns null for missing files", async () => {
    assert.equal(await sizes().sizes.of(join(folder.path, "none.jpg")), null);
  });

  for (const [svg, size] of Object.entries({
    '<svg width="80" height="60px">': { width: 80, height: 60 },
    '<?xml version="1.0"?>\n<svg xmlns="x" viewBox="0 0 24.4 12">': { width: 24, height: 12 },
    "<svg viewBox='-1,-1,10,20' width='100%'>": { width: 10, height: 20 },
    "<svg>": null,
    '<svg width="0" height="0">': null,
    "<html>": null,
  })) {
    it(`reads ${svg} as ${JSON.stringify(size)}`, async () => {
      const image = join(folder.path, "a.svg");
      await writeFile(image, svg);
      assert.deepEqual(await sizes().sizes.of(image), size);
    });
  }
});

describe("facts about files", () => {
  const folder = useFolder();
  const open = (basis: string, file = join(folder.path, "facts.json")): FileFacts<number> =>
    new FileFacts({ file, fact: z.number(), basis, log: silentLog });

  it("are used again with the same settings only, and although they cannot be written", async () => {
    const first = open("a");
    first.set("x", 1);
    await first.save();
    assert.equal(await open("a").get("x"), 1);
    assert.equal(await open("b").get("x"), undefined);
    const lost = open("a", join(folder.path, "facts.json", "below-a-file"));
    lost.set("x", 1);
    await lost.save();
    assert.equal(await lost.get("x"), 1);
  });
});
