import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { bootSite, type BootOptions } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";
import { deleteOldBackups, listBackups } from "../../../plugins/backup/create/retention.js";
import type { JobEngine, JobRecord } from "../../../plugins/jobs/contract.js";
import { missedBackups } from "../../../plugins/backup/schedule.js";
import { until } from "../../support/until.js";

const FIRST = Date.parse("2026-11-02T03:29:00Z");

describe("a scheduled backup", () => {
  const folder = useFolder();

  async function boot(
    time: number | (() => number),
    backup: Record<string, unknown>,
    extraPlugins: NonNullable<BootOptions["extraPlugins"]> = [],
  ) {
    const now = typeof time === "number" ? () => time : time;
    await writeFile(join(folder.path, "site.yaml"), "title: T\nhealth_token: token\n");
    await mkdir(join(folder.path, "content"), { recursive: true });
    return bootSite({
      root: folder.path,
      plugins: ["backup", "health", "pages"],
      clock: { now },
      settings: { system: { backup } },
      extraPlugins,
    });
  }

  it("that was missed is made at the next start, and its state is in the health report", async () => {
    const schedule = "30 3 * * *";
    const first = await boot(FIRST, { schedule });
    const health = await (await first.fetch("/health?detailed=true&token=token")).json();
    const { backup } = health as { backup: Record<string, unknown> };
    assert.deepEqual(backup, {
      newest: null,
      next: "2026-11-02T03:30:00.000Z",
      lastError: null,
    });
    await first.close();

    const later = FIRST + 5 * 60_000;
    const second = await boot(later, { schedule });
    const backups = join(folder.path, ".dune/backups");
    await until(async () => (await listBackups(backups)).length > 0);
    assert.deepEqual(await readdir(backups), ["backup-2026-11-02T03-34-00Z.tar.gz"]);
    await second.close();

    // Nothing is due: the next one is on the following day.
    const third = await boot(later + 60_000, { schedule });
    await third.site.use("jobs").idle("backup");
    assert.equal((await listBackups(backups)).length, 1);
    await third.close();
  });

  it("that was missed is a problem in the health report, until it is made", async () => {
    let now = FIRST;
    const site = await boot(() => now, { schedule: "30 3 * * *" });
    const problems = async (): Promise<string> => {
      const health = await site.fetch("/health?detailed=true&token=token");
      return JSON.stringify(((await health.json()) as { problems: unknown }).problems);
    };
    assert.equal(await problems(), "[]");
    // Without a tick of the scheduler, as on a server whose jobs do not run.
    now += 6 * 86_400_000;
    assert.match(await problems(), /the backup of 2026-11-02T03:30:00.000Z was missed/);
    const backups = join(folder.path, ".dune/backups");
    await mkdir(backups, { recursive: true });
    await writeFile(join(backups, "backup-2026-11-08T03-28-00Z.tar.gz"), "");
    now += 60_000;
    await until(async () => !(await problems()).includes("was missed"));
    await site.close();
  });

  it("that no node makes is a problem in the health report, where all nodes run the jobs", async () => {
    let now = FIRST;
    let planned: JobRecord[] = [];
    const engine: JobEngine = {
      isOwner: false,
      isShared: true,
      define: () => undefined,
      open: () => Promise.resolve(),
      add: (_queue, jobs) => {
        planned = [...jobs];
        return Promise.resolve(jobs.map(({ id }) => id));
      },
      list: () => Promise.resolve(planned),
      retry: () => Promise.reject(new Error("no dead job")),
      outcome: () => Promise.resolve(null),
      idle: () => Promise.resolve(),
      flush: () => Promise.resolve(),
      status: () => ({}),
      overdue: () => [],
      claim: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    };
    const shared = definePlugin({
      name: "shared-jobs",
      version: "1.0.0",
      requires: ["jobs"],
      setup: ({ engines }) => engines.activate("jobs", engine),
    });
    const site = await boot(() => now, { schedule: "30 3 * * *" }, [shared]);
    const problems = (): unknown => site.site.use("health").problems();
    await until(() => planned.length > 0);
    now += 6 * 86_400_000;
    assert.deepEqual(problems(), []);
    await until(() => JSON.stringify(problems()).includes("2026-11-02T03:30:00.000Z was missed"));
    // Another node has made it, in a folder of its own, and planned the next one.
    planned = planned.map((job) => ({ ...job, payload: { at: now + 60_000 } }));
    now += 60_000;
    await until(() => JSON.stringify(problems()) === "[]");
    await site.close();
  });

  it("that is not due yet is no problem, however old the last one is", async () => {
    const since = Date.parse("2026-11-01T03:00:10Z");
    const at = (day: string): unknown =>
      missedBackups(since, "0 3 1 * *", "UTC", Date.parse(`${day}T03:30:00Z`));
    assert.deepEqual(at("2026-11-30"), { first: null, count: 0 });
    assert.deepEqual(at("2026-12-01"), { first: null, count: 0 });
    const due = Date.parse("2026-12-01T03:00:00Z");
    assert.deepEqual(at("2026-12-02"), { first: due, count: 1 });
    assert.deepEqual(at("2027-01-02"), { first: due, count: 2 });
  });

  it("deletes the oldest and leaves other files", async () => {
    for (const day of ["01", "02", "03"]) {
      await writeFile(join(folder.path, `backup-2026-11-${day}T03-30-00Z.tar.gz`), "");
    }
    await writeFile(join(folder.path, "notes.txt"), "");
    assert.deepEqual(await deleteOldBackups(folder.path, 2), [
      "backup-2026-11-01T03-30-00Z.tar.gz",
    ]);
    assert.equal((await readdir(folder.path)).length, 3);
  });

  for (const schedule of ["daily", "61 * * * *", "* * * * * *", ""]) {
    it(`rejects the pattern ${JSON.stringify(schedule)} with a fix`, async () => {
      await assert.rejects(boot(FIRST, { schedule }), { code: "ERR_CONFIG_INVALID" });
    });
  }
});
