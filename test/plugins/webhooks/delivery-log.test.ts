import assert from "node:assert/strict";
import { linkSync, rmSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ulid } from "ulid";
import { daysMs, DeliveryLog } from "../../../plugins/webhooks/delivery-log.js";
import { deliveryRecord } from "../../support/delivery-records.js";
import { useFolder } from "../../support/folder.js";

const now = Date.parse("2026-11-20T12:00:00Z");

describe("the log of deliveries", () => {
  const folder = useFolder();
  const open = () => new DeliveryLog(folder.path);

  it("keeps a record in the folder of its day, for the site's user alone", async () => {
    const record = deliveryRecord({ createdAt: now });
    await open().write(record);
    const file = join(folder.path, "2026-11-20", `${record.id}.json`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await open().read(record.id), record);
  });

  for (const id of ["", "../../etc/passwd", "x".repeat(26), "8".repeat(26), `${ulid(now)}/..`]) {
    it(`reads nothing for the id ${JSON.stringify(id)}`, async () => {
      assert.equal(await open().read(id), null);
    });
  }

  it("lists the newest first, as many as wanted, and counts the rest", async () => {
    const log = open();
    const records = Array.from({ length: 40 }, (_, at) =>
      deliveryRecord({ createdAt: now - at * 3_600_000 }),
    );
    for (const record of records) await log.write(record);
    const { items, total } = await log.recent(now - daysMs(1), 20);
    assert.deepEqual(
      items.map(({ id }) => id),
      records.slice(0, 20).map(({ id }) => id),
    );
    assert.equal(total, 25);
  });

  it("skips what is torn, foreign or under another's name", async () => {
    const log = open();
    const kept = deliveryRecord({ createdAt: now });
    await log.write(kept);
    const day = join(folder.path, "2026-11-20");
    await writeFile(join(day, `${ulid(now)}.json`), "{");
    await writeFile(join(day, `${ulid(now)}.json`), JSON.stringify(kept));
    await writeFile(join(day, `${ulid(now - daysMs(3))}.json`), JSON.stringify(kept));
    await writeFile(join(day, "notes.txt"), "x");
    await mkdir(join(day, `${ulid(now)}.json`));
    await writeFile(join(folder.path, "2026-11-19"), "no folder");
    const { items } = await log.recent(0, 50);
    assert.deepEqual(items, [kept]);
  });

  it("gives what is pending, oldest first", async () => {
    const log = open();
    const [old, young] = [
      deliveryRecord({ createdAt: now - daysMs(2) }),
      deliveryRecord({ createdAt: now }),
    ];
    for (const record of [young, old, deliveryRecord({ createdAt: now, finalStatus: "failed" })]) {
      await log.write(record);
    }
    const ids: string[] = [];
    for await (const { id } of log.pending(now)) ids.push(id);
    assert.deepEqual(ids, [old.id, young.id]);
  });

  describe("with a note of what has ended", () => {
    const pendingIds = async (log: DeliveryLog, at = now): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { id } of log.pending(at)) ids.push(id);
      return ids;
    };
    const noted = async (hoursAgo: readonly number[]) => {
      const log = open();
      const records = hoursAgo.map((hours) =>
        deliveryRecord({ createdAt: now - hours * 3_600_000, finalStatus: "pending" }),
      );
      for (const record of records) await log.write(record);
      await log.settle(now - 2 * 3_600_000);
      return { log, ids: records.map(({ id }) => id) };
    };

    it("reads nothing that was made before it", async () => {
      const { ids } = await noted([1, 3, 50]);
      assert.deepEqual(await pendingIds(open()), [ids[0]]);
    });

    it("takes no note that lies in the future or cannot be read", async () => {
      const { ids } = await noted([1, 3]);
      assert.equal((await pendingIds(open(), now - daysMs(1))).length, 2);
      for (const text of ["", "x", "-1", "1e30", "9".repeat(400)]) {
        await writeFile(join(folder.path, ".settled"), text);
        assert.deepEqual(await pendingIds(open()), ids.toReversed());
      }
    });

    it("takes it back for a record of a clock that was set back", async () => {
      const { log, ids } = await noted([1]);
      const early = deliveryRecord({ createdAt: now - daysMs(1), finalStatus: "pending" });
      await log.write(early);
      assert.deepEqual(await pendingIds(open()), [early.id, ids[0]]);
    });
  });

  it("lists and resumes among 100,000 files without reading or holding them all", async function () {
    this.timeout(300_000);
    const log = open();
    const day = join(folder.path, "2026-11-20");
    const text = JSON.stringify({ ...deliveryRecord(), payload: { long: "x".repeat(2_000) } });
    await mkdir(day, { recursive: true });
    const start = now - 3_600_000;
    for (let at = 0; at < 100_000; at += 500) {
      const names = Array.from({ length: 500 }, (_, n) => ulid(start + at + n));
      const [first = ""] = names;
      await writeFile(join(day, `${first}.json`), text);
      // The same bytes again, without writing them.
      for (const id of names.slice(1))
        linkSync(join(day, `${first}.json`), join(day, `${id}.json`));
    }
    const newest = deliveryRecord({ createdAt: now - 1, finalStatus: "pending" });
    await log.write(newest);
    await log.settle(now - 60_000);
    const before = process.memoryUsage().heapUsed;
    const { items, total } = await log.recent(now - daysMs(7), 1);
    assert.deepEqual([items, total], [[newest], 100_001]);
    const ids: string[] = [];
    for await (const { id } of open().pending(now)) ids.push(id);
    assert.deepEqual(ids, [newest.id]);
    // The files hold 220 MB.
    assert.ok(process.memoryUsage().heapUsed - before < 100 * 1_048_576);
    rmSync(day, { recursive: true });
  });

  it("prunes whole days before a moment, and nothing else in its folder", async () => {
    const log = open();
    for (const days of [0, 7, 8])
      await log.write(deliveryRecord({ createdAt: now - daysMs(days) }));
    await writeFile(join(folder.path, ".owner"), "1 host");
    await log.prune(now - daysMs(7));
    assert.deepEqual((await readdir(folder.path)).toSorted(), [
      ".owner",
      "2026-11-13",
      "2026-11-20",
    ]);
  });

  it("is empty without a folder, until it is prepared", async () => {
    const log = new DeliveryLog(join(folder.path, "none"));
    assert.deepEqual(await log.recent(0, 5), { items: [], total: 0 });
    assert.equal(await log.read(ulid(now)), null);
    await log.prune(now);
    assert.deepEqual(await readdir(await log.prepare()), []);
  });
});
