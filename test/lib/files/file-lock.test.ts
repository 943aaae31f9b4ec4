import assert from "node:assert/strict";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { FileLock } from "../../../lib/files/file-lock.js";
import { useFolder } from "../../support/folder.js";

describe("a lock between processes", () => {
  const folder = useFolder();
  const path = (): string => join(folder.path, "users");
  const open = (): FileLock =>
    new FileLock(join(path(), ".lock"), { code: "ERR_LOCKED", message: "locked", fix: "wait" });

  it("lets one through at a time, in order of arrival", async () => {
    const lock = open();
    const done: string[] = [];
    await Promise.all(
      ["a", "b", "c"].map((name) =>
        lock.run(async () => {
          done.push(`${name} in`);
          await setTimeout(5);
          done.push(`${name} out`);
        }),
      ),
    );
    assert.deepEqual(done, ["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  it("excludes another owner of the same folder", async () => {
    const [even, odd] = [open(), open()];
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 === 0 ? even : odd).run(async () => {
          running += 1;
          most = Math.max(most, running);
          await setTimeout(5);
          running -= 1;
        }),
      ),
    );
    assert.equal(most, 1);
  });

  it("returns the result of the work, and leaves no file behind", async () => {
    const lock = open();
    const during = await lock.run(() => readdir(path()));
    assert.deepEqual(during, [".lock"]);
    assert.deepEqual(await readdir(path()), []);
  });

  it("is released when the work fails", async () => {
    const lock = open();
    await assert.rejects(
      lock.run(() => Promise.reject(new Error("disk"))),
      /disk/,
    );
    assert.equal(await lock.run(async () => "next"), "next");
  });

  it("of a dead process is taken over", async () => {
    await mkdir(join(path(), ".lock"), { recursive: true });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(path(), ".lock"), longAgo, longAgo);
    assert.equal(await open().run(async () => "mine"), "mine");
  });
});
