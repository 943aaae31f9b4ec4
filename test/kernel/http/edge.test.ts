import assert from "node:assert/strict";
import type { EdgeStep, HttpError } from "#kernel";
import type { EdgeStage } from "../../../kernel/contracts.js";
import { bootProbe } from "../../support/sites/probe-site.js";

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
