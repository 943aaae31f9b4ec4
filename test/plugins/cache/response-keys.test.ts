import assert from "node:assert/strict";
import type { Request } from "express";
import type { DependsOn } from "#kernel";
import { ResponseKeys } from "../../../plugins/cache/response-keys.js";
import { fakeHooks } from "../../support/fake-hooks.js";
import { testCaches } from "../../support/test-caches.js";

const known: DependsOn = (name) => ["limit", "filter", "taxonomy.tag"].includes(name);
const request = (url: string, dependsOn?: DependsOn) => {
  const search = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
  const made: Pick<Request, "url"> & {
    ctx: { search: string; state: object; dependsOn?: DependsOn };
  } = {
    url,
    ctx: { search, state: {}, ...(dependsOn && { dependsOn }) },
  };
  return made as unknown as Request;
};
const keys = (hooks: readonly string[] = []) =>
  new ResponseKeys(testCaches(), fakeHooks(undefined, hooks));
const json = { isPage: false };
const page = { isPage: true };

describe("the key of a cached response", () => {
  for (const [url, key] of [
    ["/a", "/a"],
    ["/a?limit=5", "/a?limit=5"],
    ["/a?x=1", "/a"],
    ["/a?x=1&limit=5&y", "/a?limit=5"],
    ["/a?filter[kind]=x&filter%5Bsize%5D=y", "/a?filter[kind]=x&filter%5Bsize%5D=y"],
    ["/a?taxonomy.tag=x&taxonomy.none=y", "/a?taxonomy.tag=x"],
    ["/a?%6Cimit=5", "/a?%6Cimit=5"],
    ["/a?%ZZ=5", "/a?%ZZ=5"],
    ["/a?=5&&limit", "/a?limit"],
  ] as const) {
    it(`of ${url} is ${key}, once the path's parameters are known`, () => {
      const own = keys();
      assert.equal(own.learn(request(url, known), json), key);
      assert.equal(own.toKey(request(url)), key);
    });
  }

  it("is the whole address while the parameters of a path are not known", () => {
    assert.equal(keys().toKey(request("/a?x=1")), "/a?x=1");
    assert.equal(keys().learn(request("/a?x=1"), json), "/a?x=1");
  });

  it("is null for a page with an undeclared parameter: a template may show it", () => {
    const own = keys();
    assert.equal(own.learn(request("/a?x=1"), page), null);
    assert.equal(own.learn(request("/a?limit=1", known), page), "/a?limit=1");
    assert.equal(own.toKey(request("/a?limit=1&x=1")), null);
  });

  it("is null for more parameters than parsers read, which ignore the rest", () => {
    const own = keys();
    own.learn(request("/a?limit=1", known), json);
    assert.equal(own.toKey(request(`/a?${"x&".repeat(100)}limit=1`)), null);
    assert.equal(own.learn(request(`/a?${"x&".repeat(100)}limit=1`, known), json), null);
  });

  it("is null for a query string beyond 256 characters", () => {
    assert.equal(keys().toKey(request(`/a?limit=${"1".repeat(256)}`)), null);
  });

  for (const hook of ["onApiRequest", "onApiResponse"]) {
    it(`is the whole address when ${hook} may read any parameter`, () => {
      const own = keys([hook]);
      assert.equal(own.learn(request("/a?x=1", known), json), "/a?x=1");
      assert.equal(own.toKey(request("/a?x=2")), "/a?x=2");
    });
  }
});
