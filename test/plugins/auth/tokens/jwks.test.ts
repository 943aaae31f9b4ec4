import assert from "node:assert/strict";
import { fetchJwks } from "../../../../plugins/auth/tokens/token-keys.js";
import { ProviderCalls } from "../../../../plugins/auth/providers/provider-calls.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";
import {
  createKey,
  startKeyServer,
  type KeyServer,
} from "../../../support/hostile/json-web-keys.js";

describe("published keys", () => {
  const [a, b, weak] = [createKey("a"), createKey("b"), createKey("weak", 1_024)];
  let server: KeyServer;
  beforeEach(async () => {
    server = await startKeyServer([a.jwk]);
  });
  afterEach(() => server.close());
  const calls = (): ProviderCalls =>
    new ProviderCalls(new OutboundClient({ denyPrivate: true }), [server.url]);
  const ids = async (keys: Record<string, unknown>[]): Promise<string[]> => {
    server.keys = keys;
    return [...(await fetchJwks(server.url, calls())).keys.keys()];
  };

  it("are found by their id", async () => {
    assert.deepEqual(await ids([a.jwk, b.jwk]), ["a", "b"]);
  });

  for (const [what, part] of [
    ["use enc", { use: "enc" }],
    ["key_ops without verify", { key_ops: ["encrypt"] }],
    ["another algorithm", { alg: "RS512" }],
    ["another kind", { kty: "EC" }],
    ["an id that is no text", { kid: 1 }],
    ["no modulus", { n: undefined }],
  ] as const) {
    it(`are skipped with ${what}, without affecting others`, async () => {
      assert.deepEqual(await ids([{ ...b.jwk, ...part }, a.jwk]), ["a"]);
    });
  }

  it("are skipped below 2048 bits", async () => {
    assert.deepEqual(await ids([weak.jwk, a.jwk]), ["a"]);
  });

  it("may have any id", async () => {
    assert.deepEqual(await ids([{ ...a.jwk, kid: "__proto__" }]), ["__proto__"]);
  });

  for (const [header, seconds] of [
    ["max-age=600", 600],
    ["public, max-age=5", 5],
    ["s-maxage=9", null],
    ["no-store", null],
    ["max-age=-1", null],
    ["max-age=x", null],
  ] as const) {
    it(`have max-age ${seconds} with cache-control ${header}`, async () => {
      server.headers = { "cache-control": header };
      assert.equal((await fetchJwks(server.url, calls())).maxAgeSeconds, seconds);
    });
  }

  for (const mood of ["html", "endless", "status500"] as const) {
    it(`fail for an address that is ${mood}`, async () => {
      server.mood = mood;
      await assert.rejects(fetchJwks(server.url, calls()));
    });
  }

  it("are rejected if there are more than a hundred", async () => {
    await assert.rejects(ids(Array.from({ length: 101 }, () => a.jwk)));
  });
});
