import assert from "node:assert/strict";
import { once } from "node:events";
import { z } from "zod";
import { definePlugin } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

describe("the health check of the scheduler", () => {
  it("names the queue whose due jobs have not started, to those who see details", async () => {
    let now = Date.parse("2026-11-02T03:00:00Z");
    const slow = definePlugin({
      name: "slow",
      version: "1.0.0",
      requires: ["jobs"],
      setup: ({ use }) =>
        use("jobs").define("slow", {
          payload: z.number(),
          delaysMs: [],
          run: async ({ signal }) => void (await once(signal, "abort")),
        }),
    });
    const site = await bootSite({
      files: { "site.yaml": "title: T\nhealth_token: token\n" },
      plugins: ["health"],
      extraPlugins: [slow],
      clock: { now: () => now },
    });
    const report = async (): Promise<unknown> =>
      (await site.fetch("/health?detailed=true&token=token")).json();
    const jobs = site.site.use("jobs");
    await jobs.add("slow", 1, { key: "a" });
    await jobs.add("slow", 2, { key: "a" });
    await until(() => jobs.status()["slow"]?.running === 1);
    assert.doesNotMatch(JSON.stringify(await report()), /has not ticked/);
    now += 61_000;
    assert.match(JSON.stringify(await report()), /"part":"scheduler","problem":"[^"]*\(slow\)"/);
    const short = await (await site.fetch("/health")).text();
    assert.equal(short, '{"status":"ok"}');
    await site.close();
  });
});
