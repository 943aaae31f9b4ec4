import assert from "node:assert/strict";
import { ulid } from "ulid";
import {
  attempted,
  toBody,
  newRecord,
  parseRecord,
  withCutOff,
} from "../../../plugins/webhooks/delivery-log.js";
import { deliveryRecord } from "../../support/servers/delivery-records.js";

const now = Date.parse("2026-11-20T12:00:00Z");
const failure = { statusCode: 500, success: false };

function afterFailures(count: number) {
  let record = deliveryRecord({ createdAt: now });
  for (let at = 1; at <= count; at += 1) {
    const attempt = { attemptNumber: at, timestamp: new Date(now).toISOString(), ...failure };
    record = attempted(record, attempt, { isLast: at === 4 });
  }
  return record;
}

describe("a delivery record", () => {
  it("is read back as it was written", () => {
    const record = { ...afterFailures(1), redeliveryOf: "x" };
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

  it("ends with the first success", () => {
    const success = { attemptNumber: 3, timestamp: "", statusCode: 204, success: true };
    const record = attempted(afterFailures(2), success, { isLast: false });
    assert.deepEqual([record.finalStatus, record.attempts.length], ["success", 3]);
  });

  it("counts attempts interrupted by a crash", () => {
    const record = withCutOff(afterFailures(1), 3, now);
    assert.deepEqual(
      record.attempts.map(({ attemptNumber, statusCode, errorMessage }) => [
        attemptNumber,
        statusCode,
        errorMessage,
      ]),
      [
        [1, 500, undefined],
        [2, 0, "the server stopped during this attempt"],
        [3, 0, "the server stopped during this attempt"],
      ],
    );
    assert.equal(withCutOff(record, 3, now), record);
  });
});
