import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite } from "../../support/boot-site.js";
import { useFolder } from "../../support/folder.js";
import { deleteOldBackups, listBackups } from "../../../plugins/backup/create/retention.js";
import { until } from "../../support/until.js";

const FIRST = Date.parse("2026-11-02T03:29:00Z");

describe("a scheduled backup", () => {
  const folder = useFolder();

  async function boot(now: number, backup: Record<string, unknown>) {
    await writeFile(join(folder.path, "site.yaml"), "title: T\nhealth_token: token\n");
    await mkdir(join(folder.path, "content"), { recursive: true });
    return bootSite({
      root: folder.path,
      plugins: ["backup", "health", "pages"],
      clock: { now: () => now },
      settings: { system: { backup } },
    });
  }

  it("that was missed is made at the next start, and its state is in the health report", async () => {
    const schedule = "30 3 * * *";
    const first = await boot(FIRST, { schedule });
    const health = await (await first.fetch("/health?detailed=true&token=token")).json();
    const { backup } = health as { backup: Record<string, unknown> };
    assert.deepEqual(backup, {
      ...{ newest: null, next: "2026-11-02T03:30:00.000Z", lastError: null },
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
    await third.site.context("backup").jobs.idle("backup");
    assert.equal((await listBackups(backups)).length, 1);
    await third.close();
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
