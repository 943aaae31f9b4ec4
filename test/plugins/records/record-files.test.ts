import assert from "node:assert/strict";
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import { useFolder } from "../../support/folder.js";
import {
  BOATS,
  NOTES,
  recordsContract,
} from "../../../plugins/records/testing/records-contract.js";

describe("records in files", () => {
  const folder = useFolder();
  const open = (): FileStore => new FileStore(folder.path);

  describe("as every store", () => {
    recordsContract({ open: () => open() });
  });

  it("are one file each, readable only by the site's user", async () => {
    await open().collection(BOATS).put("a", { name: "Aurora", crew: 3 });
    const file = join(folder.path, "boats/a.json");
    assert.equal(await readFile(file, "utf8"), '{"name":"Aurora","crew":3}');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("skip malformed and unrelated files, and reject while one cannot be read", async () => {
    const boats = open().collection(BOATS);
    await boats.put("a", { name: "Aurora", crew: 3 });
    await writeFile(join(folder.path, "boats/b.json"), "{");
    await writeFile(join(folder.path, "boats/C.json"), "{}");
    await mkdir(join(folder.path, "boats/d.json"));
    assert.equal((await boats.list()).items.length, 1);
    assert.equal(await boats.get("b"), null);
    await assert.rejects(boats.get("d"), { code: "EISDIR" });
  });

  it("join entries of a log that span two chunks, and skip invalid lines", async () => {
    const log = open().log({ ...NOTES, maxBytes: 10_000_000 });
    const file = join(folder.path, "notes.jsonl");
    const line = `${JSON.stringify({ text: "é".repeat(100) })}\n`;
    await writeFile(file, `${line.repeat(3_000)}{broken\n\nnull\n\0\n7\n`);
    let count = 0;
    const take = (): void => void (count += 1);
    const cursor = await log.follow(null, take);
    assert.equal(count, 3_000);
    await appendFile(file, '{"text":"not yet ');
    assert.notEqual(await log.follow(cursor, take), null);
    const cut = await log.follow(cursor, take);
    assert.equal(count, 3_000);
    await appendFile(file, 'complete"}\n');
    await log.follow(cut, take);
    assert.equal(count, 3_001);
  });

  it("of a journal drop a truncated last entry, and count damaged ones", async () => {
    const journal = () => open().journal({ name: "journal", maxEntries: 100 });
    await journal().append([1, 2].map((at) => ({ at, value: `value ${at}` })));
    const file = join(folder.path, "journal/000000000000001.jsonl");
    await appendFile(file, '{"at":3,"value":"trunc');
    assert.equal((await journal().newest())?.at, 2);
    await journal().append([{ at: 4, value: "next" }]);
    await appendFile(file, '\0\0\n{"at":6,"value":6}\n');
    const entries = await journal().read(1, 10);
    assert.deepEqual(
      entries.map(({ n, value }) => [n, value]),
      [
        [1, "value 1"],
        [2, "value 2"],
        [3, "next"],
        [4, undefined],
        [5, 6],
      ],
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("of a journal are in one order when several processes append", async () => {
    const stores = [open(), open(), open()];
    await Promise.all(
      stores.map(async (store, nth) => {
        for (let round = 0; round < 15; round += 1)
          await store
            .journal({ name: "journal", maxEntries: 100 })
            .append([{ at: 1, value: `${nth} ${round}` }]);
      }),
    );
    const entries = await open().journal({ name: "journal", maxEntries: 100 }).read(1, 100);
    assert.deepEqual(
      entries.map(({ n }) => n),
      Array.from({ length: 45 }, (_, at) => at + 1),
    );
    assert.equal(new Set(entries.map(({ value }) => value)).size, 45);
  });

  it("of a log rotate once when several processes append", async () => {
    const stores = [open(), open(), open()];
    const text = "x".repeat(1_000);
    for (let round = 0; round < 9; round += 1) {
      await Promise.all(stores.map((store) => store.log(NOTES).append([{ text }])));
    }
    const names = (await readdir(folder.path)).filter((name) => !name.endsWith(".lock"));
    assert.deepEqual(names.toSorted(), ["notes.1.jsonl", "notes.jsonl"]);
    const { total } = await open().log(NOTES).list({ limit: 1, offset: 0 });
    assert.ok(total >= 10 && total <= 20, `${total} entries`);
  });
});
