import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ExaminedSite, Finding } from "#kernel";
import { skewFinding } from "#lib/diagnostics";
import { examine, hasErrors } from "../../../plugins/doctor/doctor.js";
import { secretFinding } from "../../../plugins/doctor/site-checks.js";
import { watchFinding } from "../../../plugins/doctor/environment-checks.js";

const place = {} as ExaminedSite;

describe("examine", () => {
  it("reports a check that throws as an error", async () => {
    const run = (): never => {
      throw new Error("broken");
    };
    const [found] = await examine([{ name: "a", run }], place, { repairs: true });
    assert.deepEqual([found?.level, found?.seen, found?.fix], ["error", "broken", null]);
  });

  it("counts no time in which another check kept this process busy", async () => {
    const busy = (): Finding[] => {
      for (const end = performance.now() + 600; performance.now() < end;);
      return [{ level: "ok", seen: "it works" }];
    };
    const found = await examine(
      [
        { name: "busy", run: busy },
        {
          name: "reads",
          run: async () => {
            await readFile(fileURLToPath(import.meta.url));
            return [{ level: "ok", seen: "it is read" }];
          },
        },
        { name: "hangs", run: () => new Promise(() => undefined) },
      ],
      place,
      { repairs: false, limitMs: 300 },
    );
    assert.deepEqual(
      found.map(({ level, seen }) => `${level}: ${seen}`),
      ["ok: it works", "ok: it is read", "error: no result within 0.3 seconds"],
    );
  });

  it("shows equal findings of two plugins once", async () => {
    const run = (): Finding[] => [{ level: "ok", seen: "it responds" }];
    const found = await examine(
      [
        { name: "a", run },
        { name: "a", run },
      ],
      place,
      { repairs: false },
    );
    assert.equal(found.length, 1);
  });

  it("reports what is left after a repair, and a repair that fails", async () => {
    let isBroken = true;
    const repair = async (): Promise<string> => {
      isBroken = false;
      return "done";
    };
    const run = (): Finding[] => (isBroken ? [{ level: "error", seen: "broken", repair }] : []);
    const before = await examine([{ name: "a", run }], place, { repairs: false });
    assert.ok(hasErrors(before) && isBroken);
    const after = await examine([{ name: "a", run }], place, { repairs: true });
    assert.deepEqual([after[0]?.level, after[0]?.repaired], ["ok", ["done"]]);
    const failing = async (): Promise<string> => Promise.reject(new Error("read-only"));
    const still = await examine(
      [{ name: "a", run: () => [{ level: "error", seen: "x", repair: failing }] }],
      place,
      { repairs: true },
    );
    assert.deepEqual([still[0]?.level, still[0]?.repaired], ["error", ["not repaired: read-only"]]);
  });
});

describe("secretFinding", () => {
  for (const [secret, level] of [
    ["changeme", "error"],
    ["my-secret-token-123456", "error"],
    // Of content/05.operate/01.deployment.
    ["replace-with-at-least-32-random-characters", "error"],
    ["test_dK9xQz71mPv4Lt0Zr8w", undefined],
    ["xoxb-8fK2mPq7Rt5vYw3Z", undefined],
    ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "error"],
    ["k3J9x", "error"],
    ["k3J9xQz71mPv4", "warning"],
    ["k3J9xQz71mPv4Lt0Zr8w", undefined],
  ] as const) {
    it(`finds ${level ?? "nothing"} in a secret of ${secret.length} characters`, () => {
      const found = secretFinding("TOKEN", secret);
      assert.equal(found?.level, level);
      assert.ok(!found?.seen.includes(secret));
    });
  }
});

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
