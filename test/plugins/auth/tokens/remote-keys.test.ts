import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { type Logger, silentLog } from "#kernel";
import { RemoteKeys, type FetchedKeys } from "../../../../plugins/auth/tokens/token-keys.js";

const MINUTE = 60_000;
const key = (name: string) => createSecretKey(Buffer.from(name));
const published = (names: readonly string[], maxAgeSeconds: number | null = null): FetchedKeys => ({
  keys: new Map(names.map((name) => [name, key(name)])),
  maxAgeSeconds,
});

describe("remote keys", () => {
  let now = 0;
  let fetches = 0;
  let answer: () => Promise<FetchedKeys>;
  let warned: Record<string, unknown>[];
  let keys: RemoteKeys;
  beforeEach(() => {
    now = 1_800_000_000_000;
    fetches = 0;
    warned = [];
    answer = async () => published(["a", "b"]);
    const log: Logger = { ...silentLog, warn: (_, fields = {}) => void warned.push(fields) };
    keys = new RemoteKeys({
      clock: { now: () => now },
      log,
      fetchKeys: () => {
        fetches += 1;
        return answer();
      },
    });
  });
  const has = async (kid: string | null): Promise<boolean> => (await keys.get(kid)) !== null;

  it("are fetched on first use, once for all waiting requests", async () => {
    assert.equal(fetches, 0);
    const found = await Promise.all(Array.from({ length: 100 }, () => has("a")));
    assert.deepEqual([new Set(found), fetches], [new Set([true]), 1]);
  });

  for (const [maxAge, minutes] of [
    [null, 10],
    [1, 10],
    [3_600, 60],
    [999_999_999, 24 * 60],
  ] as const) {
    it(`are cached for ${minutes} minutes with max-age ${maxAge}`, async () => {
      answer = async () => published(["a"], maxAge);
      await has("a");
      assert.equal(keys.validUntil(), now + minutes * MINUTE);
      now += minutes * MINUTE - 1;
      await has("a");
      assert.equal(fetches, 1);
      now += 1;
      await has("a");
      assert.equal(fetches, 2);
    });
  }

  it("find a new id with one more fetch, and drop a removed one with the next", async () => {
    await has("a");
    answer = async () => published(["c"]);
    assert.equal(await has("a"), true);
    assert.equal(await has("c"), true);
    assert.equal(await has("a"), false);
    assert.equal(fetches, 2);
  });

  it("fetch once a minute for any number of unknown ids", async () => {
    await has("a");
    for (const kid of ["../../dev/null", "' OR 1=1", "__proto__", "constructor", "x".repeat(1e6)]) {
      assert.equal(await has(kid), false);
    }
    assert.equal(fetches, 2);
    now += MINUTE;
    await has("unknown");
    await has("unknown too");
    assert.equal(fetches, 3);
  });

  it("find the only key without an id, and none if there are several", async () => {
    assert.equal(await has(null), false);
    now += 11 * MINUTE;
    answer = async () => published(["only"]);
    assert.equal(await has(null), true);
  });

  it("stay valid during an outage, with a retry every half minute", async () => {
    await has("a");
    answer = () => Promise.reject(new Error("down"));
    now += 10 * MINUTE;
    assert.equal(await has("a"), true);
    assert.equal(await has("a"), true);
    assert.equal(fetches, 2);
    assert.deepEqual(warned, [{ error: "Error: down", cached: 2 }]);
    assert.equal(keys.validUntil(), now + 30_000);
    now += 30_000;
    answer = async () => published(["a"]);
    await has("a");
    assert.equal(fetches, 3);
    assert.equal(keys.validUntil(), now + 10 * MINUTE);
  });

  it("reject tokens during an outage before the first fetch, without flooding the address", async () => {
    answer = () => Promise.reject(new Error("down"));
    for (let n = 0; n < 50; n += 1) assert.equal(await has(`k${n}`), false);
    assert.equal(fetches, 1);
  });
});
