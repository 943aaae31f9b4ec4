import assert from "node:assert/strict";
import fc from "fast-check";
import { parseQuery } from "../../../kernel/http/app.js";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("parseQuery", () => {
  it("reads names, nested names and repeated names", () => {
    const query = parseQuery("q=a+b&facet[template]=post&tag[]=x&tag[]=y&q=c");
    assert.equal(
      JSON.stringify(query),
      '{"q":["a b","c"],"facet":{"template":"post"},"tag":["x","y"]}',
    );
  });

  it("ignores prototypes, unlimited nesting and more than 100 parameters", () => {
    assert.equal(Object.getPrototypeOf(parseQuery("a=1")), null);
    assert.equal(
      JSON.stringify(parseQuery("__proto__[x]=1&a[__proto__][x]=1")).includes("x"),
      false,
    );
    assert.ok(JSON.stringify(parseQuery(`a${"[b]".repeat(200)}=1`)).length < 1_000);
    assert.equal(
      Object.keys(parseQuery(Array.from({ length: 500 }, (_, at) => `p${at}=1`).join("&"))).length,
      100,
    );
  });

  it("accepts any text without polluting a prototype", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^([a-z_&=%[\]]|__proto__|constructor){0,30}$/), (text) => {
        parseQuery(text);
        assert.deepEqual(Object.keys(Object.prototype), []);
      }),
    );
  });
});

describe("the app", () => {
  it("runs identity, routes and pages in order, then 404, or 405 for other methods than GET and HEAD", async () => {
    const seen: string[] = [];
    const site = await bootProbe(({ http }) => {
      for (const phase of ["pages", "routes", "identity"] as const) {
        http.use(phase, (_req, _res, next) => {
          seen.push(phase);
          next();
        });
      }
      http.jsonPrefix("/api");
    });
    assert.equal((await site.fetch("/x")).status, 404);
    assert.deepEqual(seen.splice(0), ["identity", "routes", "pages"]);
    assert.equal((await site.fetch("/api/x")).status, 404);
    assert.deepEqual(seen.splice(0), ["identity", "routes", "pages"]);
    assert.equal((await site.fetch("/api/x", { method: "POST" })).status, 404);
    const refused = await site.fetch("/x", { method: "POST" });
    assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
    await site.close();
  });
});
