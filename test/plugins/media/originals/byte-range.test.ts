import assert from "node:assert/strict";
import check from "fast-check";
import {
  isNotModified,
  isRangeFresh,
  parseRange,
} from "../../../../plugins/media/routes/send-body.js";

describe("parseRange", () => {
  for (const [header, answer] of Object.entries({
    "bytes=0-0": { kind: "part", start: 0, end: 0 },
    "bytes=0-99": { kind: "part", start: 0, end: 9 },
    "bytes=5-": { kind: "part", start: 5, end: 9 },
    "bytes=-3": { kind: "part", start: 7, end: 9 },
    "bytes=-99": { kind: "part", start: 0, end: 9 },
    "bytes=10-": { kind: "unsatisfiable" },
    "bytes=-0": { kind: "unsatisfiable" },
    "bytes=5-2": { kind: "whole" },
    "bytes=-": { kind: "whole" },
    "bytes=0-1,3-4": { kind: "whole" },
    "bytes=a-b": { kind: "whole" },
    "items=0-1": { kind: "whole" },
    "bytes=0x1-2": { kind: "whole" },
  })) {
    it(`parses ${header} for ten bytes as ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(parseRange(header, 10), answer);
    });
  }

  it("returns the whole body without a header", () => {
    assert.deepEqual(parseRange(undefined, 10), { kind: "whole" });
  });

  it("returns the whole body for a thousand overlapping ranges, quickly", () => {
    assert.deepEqual(parseRange(`bytes=${"0-,".repeat(1000)}0-`, 10), { kind: "whole" });
    assert.deepEqual(parseRange(`bytes=${"9".repeat(8_000)}-`, 10), { kind: "whole" });
  });

  it("never exceeds the body", () => {
    check.assert(
      check.property(check.string(), check.nat(), (text, size) => {
        for (const header of [text, `bytes=${text}`]) {
          const range = parseRange(header, size);
          if (range.kind === "part") assert.ok(range.start <= range.end && range.end < size);
        }
      }),
    );
  });

  it("returns no part of an empty body", () => {
    assert.deepEqual(parseRange("bytes=0-", 0), { kind: "unsatisfiable" });
    assert.deepEqual(parseRange("bytes=-5", 0), { kind: "unsatisfiable" });
  });
});

const body = { etag: '"abc"', mtimeMs: Date.parse("2026-01-01T00:00:00Z") + 400 };

describe("isNotModified", () => {
  it("compares one or several tags weakly", () => {
    for (const tag of ['"abc"', 'W/"abc"', '"x", "abc"', "*"]) {
      assert.ok(isNotModified({ "if-none-match": tag }, body), tag);
    }
    assert.ok(!isNotModified({ "if-none-match": '"x"' }, body));
    assert.ok(!isNotModified({}, body));
  });

  it("compares the date only without tags", () => {
    const since = "Thu, 01 Jan 2026 00:00:00 GMT";
    assert.ok(isNotModified({ "if-modified-since": since }, body));
    assert.ok(!isNotModified({ "if-modified-since": since, "if-none-match": '"x"' }, body));
    assert.ok(!isNotModified({ "if-modified-since": "Wed, 31 Dec 2025 00:00:00 GMT" }, body));
    assert.ok(!isNotModified({ "if-modified-since": "nonsense" }, body));
  });
});

describe("isRangeFresh", () => {
  it("applies a range to the same body only", () => {
    assert.ok(isRangeFresh({}, body));
    assert.ok(isRangeFresh({ "if-range": '"abc"' }, body));
    assert.ok(!isRangeFresh({ "if-range": '"other"' }, body));
    assert.ok(!isRangeFresh({ "if-range": 'W/"abc"' }, body), "If-Range compares strongly");
    assert.ok(isRangeFresh({ "if-range": "Thu, 01 Jan 2026 00:00:00 GMT" }, body));
    assert.ok(!isRangeFresh({ "if-range": "Fri, 02 Jan 2026 00:00:00 GMT" }, body));
  });
});
