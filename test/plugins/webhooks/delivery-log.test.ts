import assert from "node:assert/strict";
import { linkSync, rmSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ulid } from "ulid";
import { FileStore } from "../../../plugins/records/engines/file-store.js";
import {
  toBody,
  daysMs,
  DeliveryLog,
  newRecord,
  parseRecord,
  withCutOff,
} from "../../../plugins/webhooks/delivery-log.js";
import { deliveryRecord } from "../../support/servers/delivery-records.js";
import { useFolder } from "../../support/folder.js";

const now = Date.parse("2026-11-20T12:00:00Z");

describe("the log of deliveries", () => {
  const folder = useFolder();
  const logs = () => join(folder.path, "webhook-logs");
  const open = () => new DeliveryLog(new FileStore(folder.path));

  it("stores a record in the folder of its day, readable only by the site's user", async () => {
    const record = deliveryRecord({ createdAt: now });
    await open().write(record);
    const file = join(logs(), "2026-11-20", `${record.id}.json`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await open().read(record.id), record);
  });

  for (const id of ["", "../../etc/passwd", "x".repeat(26), "8".repeat(26), `${ulid(now)}/..`]) {
    it(`reads nothing for the id ${JSON.stringify(id)}`, async () => {
      assert.equal(await open().read(id), null);
    });
  }

  it("lists the newest first, up to the limit, and counts all", async () => {
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

  it("skips truncated, unrelated and misnamed files", async () => {
    const log = open();
    const kept = deliveryRecord({ createdAt: now });
    await log.write(kept);
    const day = join(logs(), "2026-11-20");
    await writeFile(join(day, `${ulid(now)}.json`), "{");
    await writeFile(join(day, `${ulid(now)}.json`), JSON.stringify(kept));
    await writeFile(join(day, `${ulid(now - daysMs(3))}.json`), JSON.stringify(kept));
    await writeFile(join(day, "notes.txt"), "x");
    await mkdir(join(day, `${ulid(now)}.json`));
    await writeFile(join(logs(), "2026-11-19"), "no folder");
    const { items } = await log.recent(0, 50);
    assert.deepEqual(items, [kept]);
  });

  it("does not overwrite an existing record", async () => {
    const log = open();
    const record = deliveryRecord({ createdAt: now });
    assert.deepEqual(await log.ensure(record), record);
    assert.deepEqual(await open().read(record.id), record);
    const sent = { ...record, finalStatus: "success" } as const;
    await log.write(sent);
    assert.deepEqual(await log.ensure(record), sent);
  });

  it("lists among 20,000 files without reading them all", async () => {
    const log = open();
    const day = join(logs(), "2026-11-20");
    const text = JSON.stringify({ ...deliveryRecord(), payload: { long: "x".repeat(2_000) } });
    await mkdir(day, { recursive: true });
    const start = now - 3_600_000;
    for (let at = 0; at < 20_000; at += 500) {
      const names = Array.from({ length: 500 }, (_, n) => ulid(start + at + n));
      const [first = ""] = names;
      await writeFile(join(day, `${first}.json`), text);
      // The same bytes again, without writing them.
      for (const id of names.slice(1))
        linkSync(join(day, `${first}.json`), join(day, `${id}.json`));
    }
    const newest = deliveryRecord({ createdAt: now - 1, finalStatus: "pending" });
    await log.write(newest);
    const before = process.memoryUsage().heapUsed;
    const { items, total } = await log.recent(now - daysMs(7), 1);
    assert.deepEqual([items, total], [[newest], 20_001]);
    // The files hold 44 MB.
    assert.ok(process.memoryUsage().heapUsed - before < 20 * 1_048_576);
    rmSync(day, { recursive: true });
  });

  it("prunes whole days before a moment, and nothing else in its folder", async () => {
    const log = open();
    for (const days of [0, 7, 8])
      await log.write(deliveryRecord({ createdAt: now - daysMs(days) }));
    await writeFile(join(logs(), ".owner"), "1 host");
    await log.prune(now - daysMs(7));
    assert.deepEqual((await readdir(logs())).toSorted(), [".owner", "2026-11-13", "2026-11-20"]);
  });

  it("is empty without a folder", async () => {
    const log = new DeliveryLog(new FileStore(join(folder.path, "none")));
    assert.deepEqual(await log.recent(0, 5), { items: [], total: 0 });
    assert.equal(await log.read(ulid(now)), null);
    await log.prune(now);
  });
});

describe("a delivery record", () => {
  it("is read back as it was written", () => {
    const attempts = [{ attemptNumber: 1, timestamp: "", statusCode: 500, success: false }];
    const record = deliveryRecord({ createdAt: now, attempts, redeliveryOf: "x" });
    assert.deepEqual(parseRecord(JSON.parse(JSON.stringify(record))), record);
  });

  for (const value of [
    undefined,
    null,
    [],
    {},
    { id: 1 },
    { ...deliveryRecord(), finalStatus: "done" },
    { ...deliveryRecord(), attempts: [{ attemptNumber: 0 }] },
    { ...deliveryRecord(), payload: [] },
  ]) {
    const text = JSON.stringify(value) ?? "nothing";
    it(`is null for ${text.slice(0, 30)}… (${text.length} characters)`, () => {
      assert.equal(parseRecord(value), null);
    });
  }

  it("has the same bytes as body at every attempt", () => {
    const record = deliveryRecord({ payload: { title: "🎉 é" }, createdAt: now });
    const body = toBody(record);
    assert.deepEqual(JSON.parse(body.toString()), {
      event: "onPageUpdate",
      payload: { title: "🎉 é" },
      sentAt: "2026-11-20T12:00:00.000Z",
    });
    assert.ok(body.equals(toBody(withCutOff(record, 2, now + 9_000))));
  });

  it("starts without attempts, at the time in its id", () => {
    const { id, createdAt: _, attempts: __, finalStatus: ___, ...queued } = deliveryRecord();
    assert.deepEqual(newRecord(ulid(now), queued).createdAt, now);
    const { attempts, finalStatus } = newRecord(id, queued);
    assert.deepEqual([attempts, finalStatus], [[], "pending"]);
  });
});
