import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { silentLog, type Logger } from "#kernel";
import { RemoteKeys } from "../../../plugins/auth/remote-keys.js";
import type { FetchedKeys } from "../../../plugins/auth/token-keys.js";

const MINUTE = 60_000;
const key = (name: string) => createSecretKey(Buffer.from(name));
const published = (names: readonly string[], maxAgeSeconds: number | null = null): FetchedKeys => ({
  keys: new Map(names.map((name) => [name, key(name)])),
  maxAgeSeconds,
});

describe("keys of an identity provider", () => {
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

  it("are fetched at the first use, once for all who wait", async () => {
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
    it(`with max-age ${maxAge} are kept for ${minutes} minutes`, async () => {
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

  it("a new id is found with one more fetch, a removed one is gone with the next", async () => {
    await has("a");
    answer = async () => published(["c"]);
    assert.equal(await has("a"), true);
    assert.equal(await has("c"), true);
    assert.equal(await has("a"), false);
    assert.equal(fetches, 2);
  });

  it("unknown ids make one fetch a minute, however many there are", async () => {
    await has("a");
    for (const kid of ["../../dev/null", "' OR 1=1", "__proto__", "constructor", "x".repeat(1e6)]) {
      assert.equal(await has(kid), false);
    }
    assert.equal(fetches, 2);
    now += MINUTE;
    await has("nobody");
    await has("nobody else");
    assert.equal(fetches, 3);
  });

  it("no id means the only key, and none where there is a choice", async () => {
    assert.equal(await has(null), false);
    now += 11 * MINUTE;
    answer = async () => published(["only"]);
    assert.equal(await has(null), true);
  });

  it("an outage leaves the last keys, is tried each half minute, and ends by itself", async () => {
    await has("a");
    answer = () => Promise.reject(new Error("down"));
    now += 10 * MINUTE;
    assert.equal(await has("a"), true);
    assert.equal(await has("a"), true);
    assert.equal(fetches, 2);
    assert.deepEqual(warned, [{ error: "Error: down", kept: 2 }]);
    assert.equal(keys.validUntil(), now + 30_000);
    now += 30_000;
    answer = async () => published(["a"]);
    await has("a");
    assert.equal(fetches, 3);
    assert.equal(keys.validUntil(), now + 10 * MINUTE);
  });

  it("without any key yet, an outage is nobody's token, and no flood of fetches", async () => {
    answer = () => Promise.reject(new Error("down"));
    for (let n = 0; n < 50; n += 1) assert.equal(await has(`k${n}`), false);
    assert.equal(fetches, 1);
  });
});
