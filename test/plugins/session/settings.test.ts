import assert from "node:assert/strict";
import { settings } from "../../../plugins/session/settings.js";

const read = (session_store?: unknown) => settings.system.safeParse({ session_store });

describe("settings of the session store", () => {
  it("default to files", () => {
    assert.deepEqual(read().data?.session_store, { type: "local", url: null });
    assert.deepEqual(read({ type: "kv" }).data?.session_store, { type: "kv", url: null });
  });

  for (const url of ["redis://localhost", "rediss://user:pass@redis.example:6380/1"]) {
    it(`accept ${url}`, () => {
      assert.deepEqual(read({ type: "redis", url }).data?.session_store, { type: "redis", url });
    });
  }

  for (const given of [
    { type: "redis" },
    { type: "redis", url: null },
    { type: "redis", url: "" },
    { type: "redis", url: "http://localhost" },
    { type: "redis", url: "redis://a b" },
    { type: "memory" },
    { typ: "local" },
    "local",
    [],
  ]) {
    it(`reject ${JSON.stringify(given)}`, () => {
      assert.equal(read(given).success, false);
    });
  }
});
