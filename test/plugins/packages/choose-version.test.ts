import assert from "node:assert/strict";
import { chooseVersion, daysFor, rangeFor } from "../../../plugins/packages/choose-version.js";

const now = Date.parse("2026-06-01T00:00:00Z");
const ago = (days: number): string => new Date(now - days * 86_400_000).toISOString();
const published = {
  name: "kit",
  versions: ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "3.0.0-rc.1"],
  time: { "1.0.0": ago(100), "1.1.0": ago(10), "1.2.0": ago(2), "2.0.0": ago(20) },
  latest: "2.0.0",
};
const none = { days: 0, exclude: [] };

describe("chooseVersion", () => {
  const choose = (range: string, age = none as { days: number; exclude: string[] }) =>
    chooseVersion(published, { range, age, now });

  it("selects the newest version in the range", () => {
    assert.equal(choose("^1.0.0"), "1.2.0");
    assert.equal(choose("~1.1.0"), "1.1.0");
    assert.equal(choose("1.0.0"), "1.0.0");
  });

  it("falls back to an older matching version that is old enough", () => {
    assert.equal(choose("^1.0.0", { days: 7, exclude: [] }), "1.1.0");
    assert.equal(choose("^1.0.0", { days: 50, exclude: [] }), "1.0.0");
  });

  it("accepts an excluded package at any age", () => {
    assert.equal(choose("^1.0.0", { days: 50, exclude: ["kit"] }), "1.2.0");
    assert.equal(daysFor("@acme/kit", { days: 5, exclude: ["@acme/*"] }), 0);
    assert.equal(daysFor("@acmes/kit", { days: 5, exclude: ["@acme/*", "kit"] }), 5);
  });

  it("selects the recommended version when any will do, never a pre-release by itself", () => {
    assert.equal(choose("*"), "2.0.0");
    assert.equal(choose("*", { days: 50, exclude: [] }), "1.0.0");
    assert.equal(choose("3.0.0-rc.1"), "3.0.0-rc.1");
  });

  it("treats a version of unknown age as new", () => {
    const unknown = { ...published, time: {} };
    assert.throws(
      () => chooseVersion(unknown, { range: "^1.0.0", age: { days: 1, exclude: [] }, now }),
      {
        code: "ERR_PACKAGE_VERSION",
      },
    );
  });

  it("lists the available versions when nothing fits or nothing is old enough", () => {
    assert.throws(() => choose("^9.0.0"), {
      code: "ERR_PACKAGE_VERSION",
      message: "no version of kit fits ^9.0.0; the newest is 3.0.0-rc.1",
    });
    assert.throws(() => choose("~1.2.0", { days: 7, exclude: [] }), {
      code: "ERR_PACKAGE_VERSION",
      message: "no version of kit that fits ~1.2.0 is 7 days old; 1.2.0 is 2 days old",
    });
  });
});

describe("rangeFor", () => {
  it("keeps the kind of range", () => {
    const ranges = ["^1.0.0", "~1", "1.0.0"].map((former) => rangeFor(former, "2.3.4"));
    assert.deepEqual(ranges, ["^2.3.4", "~2.3.4", "2.3.4"]);
  });
});
