import assert from "node:assert/strict";
import type { Hooks } from "#kernel";
import { fireHook } from "../../../kernel/testing/fire-hook.js";
import { bootProbe } from "../../support/sites/probe-site.js";

const req = {} as never;

describe("fireHook", () => {
  const heard: unknown[] = [];
  let hooks: Hooks;
  let close: () => Promise<void>;
  beforeEach(async () => {
    heard.length = 0;
    const site = await bootProbe((context) => {
      hooks = context.hooks;
      hooks.on("onStorageReady", ({ data }) => {
        if (data.paths.root === "broken") throw new Error("no storage");
      });
      hooks.on("onApiResponse", ({ data, setData }) => setData({ ...data, body: "changed" }));
      hooks.on("onResponse", async ({ data }) => {
        await new Promise((resolve) => setImmediate(resolve));
        heard.push(data.status);
      });
    });
    close = site.close;
  });
  afterEach(() => close());

  it("returns the payload of a transform hook", async () => {
    const { body } = await fireHook(hooks, "onApiResponse", { req, status: 200, body: 1 });
    assert.equal(body, "changed");
  });

  it("resolves once every handler is done", async () => {
    await fireHook(hooks, "onResponse", { req, status: 418, durationMs: 1 });
    assert.deepEqual(heard, [418]);
  });

  it("throws the error of a startup hook's handler", async () => {
    const paths = { root: "broken" } as never;
    await assert.rejects(fireHook(hooks, "onStorageReady", { paths }), {
      code: "ERR_HOOK_FAILED",
      message: /no storage/,
    });
  });

  it("names the nearest hook for an undeclared one", async () => {
    const fire = (name: string) => fireHook(hooks, name as "onRequest", { req, answer: null });
    await assert.rejects(fire("onRespons"), /"onRespons": did you mean "onResponse"/);
    await assert.rejects(fire("quite another"), /select the plugin that fires it/);
  });
});
