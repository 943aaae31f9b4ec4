import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryBeside } from "#lib/files";
import { createBackup } from "../../../plugins/backup/create/create-backup.js";

describe("half an archive of a backup that was killed", () => {
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "site-test-"))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is removed by the next backup into that folder, and nothing else is", async function () {
    this.timeout(60_000);
    const root = join(folder, "site");
    await mkdir(join(root, "content/01.home"), { recursive: true });
    await writeFile(join(root, "content/01.home/default.md"), "# Home\n");
    await writeFile(join(root, "site.yaml"), "title: Test\n");
    const elsewhere = join(folder, "archives");
    await mkdir(elsewhere);
    const half = temporaryBeside(join(elsewhere, "old.tar.gz"));
    const foreign = join(elsewhere, "notes.tmp");
    for (const file of [half, foreign]) {
      await writeFile(file, "half");
      await utimes(file, 0, 0);
    }
    await createBackup({
      root,
      out: join(elsewhere, "new.tar.gz"),
      withSecrets: false,
      databases: null,
      exclude: [],
      now: 0,
    });
    assert.deepEqual((await readdir(elsewhere)).toSorted(), ["new.tar.gz", "notes.tmp"]);
  });
});
