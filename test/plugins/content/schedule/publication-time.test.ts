import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMoment } from "#lib/dates";
import {
  listBoundaries,
  isReleased,
} from "../../../../plugins/content/schedule/publication-time.js";
import { parseDate } from "../../../../plugins/content/read/front-matter/fields.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

describe("parseDate", () => {
  for (const [value, date] of [
    ["2024-02-29", "2024-02-29"],
    ["2024-2-9", "2024-02-09"],
    [" 2024-12-31 ", "2024-12-31"],
    ["2024-05-01T10:00", "2024-05-01"],
    ["2024-05-01 whatever", null],
    ["2023-02-29", null],
    ["2024-13-01", null],
    ["2024-04-31", null],
    ["2024-00-10", null],
    ["2024-01-00", null],
    ["24-01-01", null],
    ["2024-01-01x", null],
    ["soon", null],
    [20240101, null],
    [null, null],
  ] as const) {
    it(`reads ${JSON.stringify(value)} as ${date}`, () => assert.equal(parseDate(value), date));
  }

  it("takes every day of the calendar as it is written", () => {
    const day = fc.date({
      min: new Date("1900-01-01"),
      max: new Date("2200-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, (date) => {
        const text = date.toISOString().slice(0, 10);
        assert.equal(parseDate(text), text);
      }),
    );
  });
});

describe("parseMoment", () => {
  for (const [value, iso] of [
    ["2024-05-01", "2024-05-01T00:00:00Z"],
    ["2024-05-01T10:30", "2024-05-01T10:30:00Z"],
    ["2024-05-01 10:30:15", "2024-05-01T10:30:15Z"],
    ["2024-05-01T10:30:15.999Z", "2024-05-01T10:30:15Z"],
    ["2024-05-01T10:30+02:00", "2024-05-01T08:30:00Z"],
    ["2024-05-01T10:30-0530", "2024-05-01T16:00:00Z"],
  ] as const) {
    it(`reads ${value} as ${iso}`, () => assert.equal(parseMoment(value, "UTC"), Date.parse(iso)));
  }

  for (const value of [
    "2024-05-01T24:00",
    "2024-05-01T10:60",
    "2024-05-01T10:30:60",
    "2024-02-30",
    "2024-5-32",
    "10:30",
    "tomorrow",
    "",
    1714521600,
    null,
  ]) {
    it(`rejects ${JSON.stringify(value)}`, () => {
      assert.equal(parseMoment(value, "UTC"), null);
    });
  }

  for (const [value, timezone, iso] of [
    ["2024-01-15T12:00", "Europe/Berlin", "2024-01-15T11:00:00Z"],
    ["2024-07-15T12:00", "Europe/Berlin", "2024-07-15T10:00:00Z"],
    ["2024-03-31T03:00", "Europe/Berlin", "2024-03-31T01:00:00Z"],
    ["2024-07-15", "America/New_York", "2024-07-15T04:00:00Z"],
    ["2024-07-15T00:00", "Asia/Kolkata", "2024-07-14T18:30:00Z"],
    ["2024-07-15T12:00Z", "Asia/Kolkata", "2024-07-15T12:00:00Z"],
  ] as const) {
    it(`reads ${value} in ${timezone} as ${iso}`, () => {
      assert.equal(parseMoment(value, timezone), Date.parse(iso));
    });
  }
});

describe("isReleased", () => {
  const scheduled = pageEntry("a/post.md", { publishAt: 100, unpublishAt: 200 });

  for (const [now, released] of [
    [99, false],
    [100, true],
    [199, true],
    [200, false],
  ] as const) {
    it(`is ${released} at ${now} for a page from 100 until 200`, () => {
      assert.equal(isReleased(scheduled, now), released);
    });
  }

  it("is always true without a schedule, and never for an unpublished page", () => {
    assert.equal(isReleased(pageEntry("a.md"), 0), true);
    assert.equal(isReleased(pageEntry("a.md", { published: false }), 0), false);
    for (const status of ["draft", "in_review", "archived"] as const) {
      assert.equal(isReleased(pageEntry("a.md", { status }), 0), false, status);
    }
  });
});

describe("boundariesOf", () => {
  it("has the times of a released page, and none for one that stays hidden", () => {
    const limits = { publishAt: 100, unpublishAt: 200 };
    assert.deepEqual(listBoundaries(pageEntry("a.md", limits)), [100, 200]);
    assert.deepEqual(listBoundaries(pageEntry("a.md", { publishAt: 100 })), [100]);
    assert.deepEqual(listBoundaries(pageEntry("a.md")), []);
    assert.deepEqual(listBoundaries(pageEntry("a.md", { ...limits, published: false })), []);
    assert.deepEqual(listBoundaries(pageEntry("a.md", { ...limits, status: "draft" })), []);
  });
});
