import assert from "node:assert/strict";
import {
  begun,
  bodyOf,
  defaultDelays,
  dueIn,
  ended,
  pageOf,
  parseRecord,
  recovered,
} from "../../../plugins/webhooks/delivery-record.js";
import { deliveryRecord } from "../../support/delivery-records.js";

const now = Date.parse("2026-11-20T12:00:00Z");
const failure = { statusCode: 500, success: false };
const over = { limit: 4, at: now };

function afterFailures(count: number) {
  let record = deliveryRecord({ createdAt: now });
  for (let at = 0; at < count; at += 1) record = ended(begun(record, now), failure, over);
  return record;
}

describe("a delivery record", () => {
  it("is read back as it was written", () => {
    const record = { ...begun(afterFailures(1), now), redeliveryOf: "x" };
    assert.deepEqual(parseRecord(JSON.stringify(record)), record);
  });

  for (const text of [
    "",
    "{",
    "null",
    "[]",
    "{}",
    `{"id":1}`,
    JSON.stringify(deliveryRecord()).slice(0, -9),
    JSON.stringify({ ...deliveryRecord(), finalStatus: "done" }),
    JSON.stringify({ ...deliveryRecord(), attempts: [{ attemptNumber: 0 }] }),
    JSON.stringify({ ...deliveryRecord(), payload: [] }),
  ]) {
    it(`is null for ${text.slice(0, 30) || "nothing"}… (${text.length} characters)`, () => {
      assert.equal(parseRecord(text), null);
    });
  }

  it("has the same bytes as body at every attempt", () => {
    const record = deliveryRecord({ payload: { title: "🎉 é" }, createdAt: now });
    const body = bodyOf(record);
    assert.deepEqual(JSON.parse(body.toString()), {
      event: "onPageUpdate",
      payload: { title: "🎉 é" },
      sentAt: "2026-11-20T12:00:00.000Z",
    });
    assert.ok(body.equals(bodyOf(ended(begun(record, now + 9_000), failure, over))));
  });

  it("is ordered by its page, or by itself when it is about none", () => {
    assert.equal(pageOf(deliveryRecord({ payload: { sourcePath: "a.md" } })), "a.md");
    assert.equal(pageOf(deliveryRecord({ payload: { sourcePath: 1 }, id: "x" })), "x");
  });

  it("is pending after three failures and failed after the fourth", () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((count) => afterFailures(count).finalStatus),
      ["pending", "pending", "pending", "pending", "failed"],
    );
    assert.deepEqual(
      afterFailures(4).attempts.map(({ attemptNumber }) => attemptNumber),
      [1, 2, 3, 4],
    );
  });

  it("ends with the first success, and forgets that an attempt was under way", () => {
    const record = ended(begun(afterFailures(2), now), { statusCode: 204, success: true }, over);
    assert.equal(record.finalStatus, "success");
    assert.equal(record.attempts.length, 3);
    assert.ok(!("inFlight" in record));
  });

  it("does not end an attempt that has not begun", () => {
    const record = deliveryRecord();
    assert.equal(ended(record, failure, over), record);
  });

  it("counts an attempt that a crash interrupted, the fourth as the last", () => {
    const second = recovered(begun(afterFailures(1), now), 4);
    assert.deepEqual([second.attempts.length, second.finalStatus], [2, "pending"]);
    assert.equal(second.attempts[1]?.statusCode, 0);
    assert.equal(recovered(begun(afterFailures(3), now), 4).finalStatus, "failed");
  });

  it("is due 0, 1, 5 and 25 s after the attempt before, less what has passed", () => {
    const dues = [0, 1, 2, 3].map((count) => dueIn(afterFailures(count), now, defaultDelays));
    assert.deepEqual(dues, [0, 1_000, 5_000, 25_000]);
    assert.equal(dueIn(afterFailures(3), now + 20_000, defaultDelays), 5_000);
    assert.equal(dueIn(afterFailures(3), now + 90_000, defaultDelays), 0);
  });

  it("counts the delay from the end of a slow attempt, and from its start after a crash", () => {
    const slow = ended(begun(afterFailures(0), now), failure, { limit: 4, at: now + 1_500 });
    assert.equal(dueIn(slow, now + 1_500, defaultDelays), 1_000);
    assert.equal(dueIn(slow, now + 2_000, defaultDelays), 500);
    assert.deepEqual(parseRecord(JSON.stringify(slow)), slow);
    const crashed = recovered(begun(slow, now + 2_500), 4);
    assert.equal(dueIn(crashed, now + 4_500, defaultDelays), 3_000);
  });

  it("waits no longer when the clock was set back or a time cannot be read", () => {
    assert.equal(dueIn(afterFailures(2), now - 86_400_000, defaultDelays), 5_000);
    const attempts = [{ attemptNumber: 1, timestamp: "never", ...failure }];
    assert.equal(dueIn(deliveryRecord({ attempts }), now, defaultDelays), 1_000);
  });
});
