import assert from "node:assert/strict";
import fc from "fast-check";
import { Router } from "express";
import type { EdgeStep, HttpError } from "#kernel";
import { parseQuery } from "../../../kernel/http/app.js";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { EdgeStage } from "../../../kernel/contracts.js";

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

describe("the edge", () => {
  it("runs its stages in order, whatever order they were added in, also with promises", async () => {
    const seen: string[] = [];
    const note =
      (name: string): EdgeStep =>
      async () =>
        void seen.push(name);
    const site = await bootProbe(({ http }) => {
      const stages: EdgeStage[] = ["cached", "answer", "protect", "observe"];
      for (const stage of stages) http.edge(stage, note(stage));
      http.edge("observe", () => void seen.push("observe too"));
    });
    await site.fetch("/");
    await site.close();
    assert.deepEqual(seen, ["observe", "observe too", "protect", "answer", "cached"]);
  });

  for (const [what, answered] of [
    ["true", true],
    ["a promise of true", Promise.resolve(true)],
  ] as const) {
    it(`ends with the step that responds ${what}`, async () => {
      const later: string[] = [];
      const site = await bootProbe(({ http }) => {
        http.edge("answer", (req, res) => {
          http.send(req, res, { type: "text/plain", body: "early" });
          return answered;
        });
        http.edge("cached", () => void later.push("cached"));
        http.use("identity", (_req, _res, next) => {
          later.push("identity");
          next();
        });
      });
      assert.equal(await (await site.fetch("/")).text(), "early");
      await site.close();
      assert.deepEqual(later, []);
    });
  }

  it("responds with an error that a step throws, or rejects with", async () => {
    const { HttpError } = await import("#kernel");
    const refuse = (): HttpError => new HttpError(418, "no");
    const site = await bootProbe(({ http }) => {
      http.edge("answer", (req) => {
        if (req.ctx.path === "/sync") throw refuse();
        return req.ctx.path === "/async" ? Promise.reject(refuse()) : false;
      });
    });
    for (const path of ["/sync", "/async"]) assert.equal((await site.fetch(path)).status, 418);
    assert.equal((await site.fetch("/other")).status, 404);
    await site.close();
  });

  it("runs observe and protect for a rejected target, and no further", async () => {
    const seen: string[] = [];
    const site = await bootProbe(({ http }) => {
      http.edge("observe", () => void seen.push("observe"));
      http.edge("protect", (req) => void (req.ctx.responseHeaders = { "X-Block": "yes" }));
      http.edge("answer", () => void seen.push("answer"));
    });
    const res = await site.fetch("/%ZZ");
    await site.close();
    assert.deepEqual([res.status, res.headers.get("x-block"), seen], [400, "yes", ["observe"]]);
  });
});

describe("handlers of a phase", () => {
  it("run in turn, continue after next and next('route'), and stop when one responds", async () => {
    const seen: string[] = [];
    const site = await bootProbe(({ http }) => {
      http.use("identity", (_req, _res, next) => {
        seen.push("first");
        next();
      });
      http.use("routes", async (_req, _res, next) => {
        seen.push("second");
        await Promise.resolve();
        next("route");
      });
      http.use("pages", (_req, res) => {
        seen.push("third");
        res.end("third");
      });
      http.use("pages", () => seen.push("never"));
    });
    assert.equal(await (await site.fetch("/x")).text(), "third");
    assert.deepEqual(seen, ["first", "second", "third"]);
    await site.close();
  });

  for (const [name, fail] of Object.entries({
    "next(error)": (next: (error?: unknown) => void) => next(new Error("broken")),
    "a thrown error": () => {
      throw new Error("broken");
    },
    "a rejected promise": () => Promise.reject(new Error("broken")),
    "a rejection with nothing": () => Promise.reject(),
  })) {
    it(`respond 500 without the message of ${name}`, async () => {
      const site = await bootProbe(({ http }) => {
        http.use("routes", (_req, _res, next) => fail(next));
        http.use("pages", (_req, res) => res.end("not reached"));
      });
      const answer = await site.fetch("/x");
      assert.equal(answer.status, 500);
      assert.doesNotMatch(await answer.text(), /broken|not reached/);
      await site.close();
    });
  }

  it("may be routers and handlers of Express", async () => {
    const router = Router();
    router.get("/inside/:name", (req, res) => {
      res.locals["name"] = req.params["name"];
      res.json({ name: res.locals["name"], at: req.originalUrl, base: req.baseUrl });
    });
    const site = await bootProbe(({ http }) => {
      http.use("routes", router);
      http.use("pages", (_req, res) => res.end("outside"));
    });
    assert.deepEqual(await (await site.fetch("/inside/a?b=1")).json(), {
      name: "a",
      at: "/inside/a?b=1",
      base: "",
    });
    assert.equal(await (await site.fetch("/other")).text(), "outside");
    await site.close();
  });
});
