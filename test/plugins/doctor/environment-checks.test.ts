import assert from "node:assert/strict";
import { skewFinding } from "#lib/diagnostics";
import { watchFinding } from "../../../plugins/doctor/environment-checks.js";

describe("the limit of watched folders", () => {
  it("is a warning from half of it, and an error from all of it", () => {
    const levels = [999, 1_000, 1_999, 2_000].map((folders) => watchFinding(folders, 2_000).level);
    assert.deepEqual(levels, ["ok", "warning", "warning", "error"]);
  });

  it("names both numbers, and a limit that is large enough", () => {
    const { seen, fix } = watchFinding(600_000, 524_288);
    assert.match(seen, /600000 folders .* 524288 can be watched/);
    assert.match(fix ?? "", /sysctl fs\.inotify\.max_user_watches=2400000/);
  });
});

describe("the clock of a store", () => {
  it("is a warning from five seconds of difference", () => {
    assert.equal(skewFinding("Redis", 5_000).level, "ok");
    const { level, seen, fix } = skewFinding("Redis", -61_000);
    assert.equal(level, "warning");
    assert.match(seen, /Redis differs by -61 seconds/);
    assert.match(fix ?? "", /NTP/);
  });
});
