import assert from "node:assert/strict";
import { readdir, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readCsv } from "../../../plugins/import/sources/records.js";
import { useFolder } from "../../support/folder.js";

const ROWS = "1,a\n".repeat(500_000);

describe("reading a CSV file", () => {
  const folder = useFolder();
  const write = async (text: string): Promise<string> => {
    const path = join(folder.path, "rows.csv");
    await writeFile(path, text);
    return path;
  };

  /** Resolves when this process has no open handle of a file; fails after many turns of the event loop. */
  async function assertClosed(path: string): Promise<void> {
    for (let turn = 0; turn < 1_000; turn += 1) {
      const handles = await readdir("/proc/self/fd");
      const files = await Promise.all(
        handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => "")),
      );
      if (!files.includes(path)) return;
      await nextTurn();
    }
    assert.fail(`${path} is still open`);
  }

  it("closes the file after an invalid row and when its reader stops", async function () {
    if (process.platform !== "linux") this.skip();
    const invalid = await write(`id,name\n1,a,b\n${ROWS}`);
    await assert.rejects(async () => {
      for await (const { line } of readCsv(invalid)) assert.ok(line > 0);
    }, /invalid CSV/);
    await assertClosed(invalid);
    const valid = await write(`id,name\n${ROWS}`);
    for await (const { line } of readCsv(valid)) if (line > 1) break;
    await assertClosed(valid);
  });
});
