import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SiteError } from "#kernel";
import { ProcessLock, type LockHolder } from "#lib/files";
import { bundleProgram } from "../../support/processes/bundle-program.js";
import { useFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";

const HOLDER = join(import.meta.dirname, "../../support/processes/lock-holder.ts");

describe("a lock of a process", () => {
  const folder = useFolder();
  const file = (name = "lock"): string => join(folder.path, name);
  const children: ChildProcess[] = [];
  let holderProgram = "";
  before(async () => {
    holderProgram = await bundleProgram(HOLDER);
  });
  after(() => rm(dirname(holderProgram), { recursive: true }));
  const locks: ProcessLock[] = [];
  afterEach(async () => {
    for (const lock of locks.splice(0)) lock.release();
    for (const child of children.splice(0)) await kill(child);
  });

  let holder: LockHolder | null = null;
  async function acquire(path = file(), onLost?: () => void): Promise<ProcessLock> {
    const lock = await ProcessLock.acquire(path, {
      locked: (found) => {
        holder = found;
        return new SiteError("ERR_ROOT_LOCKED", "locked", {});
      },
      ...(onLost && { onLost }),
    });
    locks.push(lock);
    return lock;
  }
  const isLocked = (path = file()): Promise<void> =>
    assert.rejects(acquire(path), { code: "ERR_ROOT_LOCKED" });

  async function holdElsewhere(path = file()): Promise<ChildProcess> {
    const child = spawn(process.execPath, [holderProgram, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    await once(child.stdout ?? child, "data");
    return child;
  }
  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** The record of a holder with other values, as a file that is not touched. */
  function forge(changes: Record<string, unknown>): void {
    const record: unknown = JSON.parse(readFileSync(file(), "utf8"));
    assert.ok(typeof record === "object");
    writeFileSync(file(), JSON.stringify({ ...record, token: "another", ...changes }));
  }

  it("is held by one process, and named in the error", async () => {
    const child = await holdElsewhere();
    await isLocked();
    assert.equal(holder?.pid, child.pid);
    assert.ok(holder !== null && !Number.isNaN(Date.parse(holder.since)) && holder.host !== "");
  });

  it("is held once within a process", async () => {
    await acquire();
    await isLocked();
  });

  it("is free as soon as its holder is killed, whatever touches its file", async () => {
    await kill(await holdElsewhere());
    assert.ok(existsSync(file()), "the file of the dead holder is left");
    const touches = setInterval(() => utimesSync(file(), new Date(), new Date()), 50);
    try {
      await acquire();
    } finally {
      clearInterval(touches);
    }
  });

  it("is free after a release, whose file is removed", async () => {
    (await acquire()).release();
    assert.ok(!existsSync(file()));
    await acquire();
  });

  it("is not held by another process that was given the same process id", async () => {
    (await holdElsewhere()).kill("SIGSTOP");
    const { ppid } = process;
    forge({ pid: ppid, started: "1" });
    await acquire();
  });

  it("is held by a process that does not respond", async () => {
    (await holdElsewhere()).kill("SIGSTOP");
    await isLocked();
  });

  it("does not hold a copy of its folder", async () => {
    await holdElsewhere(file("original/lock"));
    cpSync(file("original"), file("copy"), { recursive: true, preserveTimestamps: true });
    await acquire(file("copy/lock"));
    await isLocked(file("original/lock"));
  });

  for (const [place, changes] of [
    ["another container", { namespace: "pid:[1]", pid: process.pid }],
    ["another machine", { boot: "another boot", host: "b" }],
  ] as const) {
    it(`is held by a process in ${place} that sends heartbeats`, async () => {
      (await acquire()).release();
      writeFileSync(file(), "{}");
      await acquire(file("own"));
      writeFileSync(file(), readFileSync(file("own")));
      forge(changes);
      const beats = setInterval(() => utimesSync(file(), new Date(), new Date()), 500);
      try {
        await isLocked();
      } finally {
        clearInterval(beats);
      }
      await acquire();
    });
  }

  it("is taken over from a file without a holder", async () => {
    writeFileSync(file(), "");
    await acquire();
  });

  it("reports a lock that another process took over", async () => {
    let lost = 0;
    await acquire(file(), () => (lost += 1));
    forge({ pid: 1 });
    await until(() => lost === 1);
  });

  it("writes its file again when it was deleted", async () => {
    await acquire();
    unlinkSync(file());
    await until(() => existsSync(file()));
    await isLocked();
  });

  it("goes to one of many that compete at once", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => acquire()));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  });
});
