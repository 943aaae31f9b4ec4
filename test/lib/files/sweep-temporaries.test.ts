import assert from "node:assert/strict";
import { existsSync, utimesSync } from "node:fs";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sweepTemporaries } from "../../../lib/files/sweep-temporaries.js";
import { useFolder } from "../../support/folder.js";
import { startProcess } from "../../support/processes/site-process.js";
import { until } from "../../support/until.js";

const HOUR = 3_600_000;

describe("temporary files of a killed process", () => {
  const folder = useFolder();
  const put = async (path: string, ageMs: number): Promise<string> => {
    const file = join(folder.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "half a fi");
    const at = new Date(Date.now() - ageMs);
    await utimes(file, at, at);
    return file;
  };
  const options = { before: Date.now() - 1_000, waitMs: 0 };

  it("are removed in every folder of the site", async () => {
    const left = [".tmp-1", "content/01.blog/.tmp-2", ".dune/admin/users/.tmp-3", "data/.tmp-4"];
    const files = await Promise.all(left.map((path) => put(path, HOUR)));
    assert.deepEqual((await sweepTemporaries(folder.path, options)).toSorted(), files.toSorted());
    assert.deepEqual(files.filter(existsSync), []);
  });

  it("stay when they are young, change, or belong to another program", async () => {
    const remaining = [
      await put(".tmp-young", 0),
      await put("node_modules/x/.tmp-1", HOUR),
      await put(".git/.tmp-1", HOUR),
      await put("content/tmp-1.md", HOUR),
    ];
    const changing = await put("content/.tmp-changing", HOUR);
    // Always older than `before`, never at the same time twice.
    let age = HOUR;
    const writer = setInterval(() => {
      const at = new Date(Date.now() - (age += 1_000));
      utimesSync(changing, at, at);
    }, 5);
    const removed = await sweepTemporaries(folder.path, { ...options, waitMs: 500 });
    clearInterval(writer);
    assert.deepEqual(removed, []);
    remaining.push(changing);
    assert.deepEqual(remaining.filter(existsSync), remaining);
  });

  it("are not removed behind links", async () => {
    const outside = await put("outside/.tmp-1", HOUR);
    await mkdir(join(folder.path, "site"));
    await symlink(join(folder.path, "outside"), join(folder.path, "site", "link"));
    await symlink(outside, join(folder.path, "site", ".tmp-link"));
    assert.deepEqual(await sweepTemporaries(join(folder.path, "site"), options), []);
    assert.ok(existsSync(outside));
  });

  it("are removed while a site is served", async () => {
    const files = [await put("content/.tmp-1", HOUR), await put(".dune/jobs/.tmp-2", HOUR)];
    await put("site.yaml", 0);
    await writeFile(join(folder.path, "site.yaml"), "title: T\n");
    const site = startProcess(["serve", "--root", folder.path, "--port", "0"]);
    try {
      await site.printed(/ready after/);
      await until(() => !files.some((file) => existsSync(file)));
    } finally {
      site.child.kill("SIGKILL");
      await site.ended();
    }
  });
});
