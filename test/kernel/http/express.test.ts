import assert from "node:assert/strict";
import { Router } from "express";
import { bootProbe } from "../../support/sites/probe-site.js";

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
