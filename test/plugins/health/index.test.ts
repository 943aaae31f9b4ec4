import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { lockRoot } from "#lib/files";
import { readProblems } from "../../../plugins/health/problem-note.js";
import { until } from "../../support/until.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("health", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const boot = (token?: string) =>
    bootSite({
      plugins: ["health"],
      settings: { site: token === undefined ? {} : { health_token: token } },
    });
  const body = async (path: string) => (await site.fetch(path)).json();

  it("responds to live and ready with status ok and no-store", async () => {
    site = await boot();
    for (const path of ["/health", "/health/live", "/health/ready"]) {
      const answer = await site.fetch(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.deepEqual(await answer.json(), { status: "ok" });
    }
  });

  it("stays minimal without a configured token, for any token", async () => {
    site = await boot();
    for (const query of ["", "&token=", "&token=undefined", "&token[]=", "&token=null"])
      assert.deepEqual(await body(`/health?detailed=true${query}`), { status: "ok" }, query);
  });

  it("rejects a token that is an unset variable at startup", async () => {
    site = await boot();
    await assert.rejects(boot("$NOT_SET_ANYWHERE"), /NOT_SET_ANYWHERE/);
  });

  it("is minimal for a wrong token and detailed for the right one", async () => {
    site = await boot("a-long-health-token");
    assert.deepEqual(await body("/health?detailed=true&token=wrong"), { status: "ok" });
    assert.deepEqual(await body("/health?token=a-long-health-token"), { status: "ok" });
    const report = (await body("/health?detailed=true&token=a-long-health-token")) as Record<
      string,
      unknown
    >;
    assert.equal(report["status"], "ok");
    assert.equal(typeof report["uptime"], "number");
    assert.match(String(report["version"]), /^\d+\.\d+\.\d+/);
    assert.deepEqual(report["plugins"], [{ name: "health", version: "1.0.0", state: "active" }]);
    assert.equal(typeof (report["memory"] as { rss: number }).rss, "number");
  });

  it("is degraded, naming the plugin, when an optional one has failed", async () => {
    const broken = definePlugin({
      name: "broken",
      version: "1.0.0",
      optional: true,
      setup: () => Promise.reject(new Error("no luck")),
    });
    site = await bootSite({
      plugins: ["health"],
      settings: { site: { health_token: "a-long-health-token" } },
      extraPlugins: [broken],
    });
    const report = (await body("/health?detailed=true&token=a-long-health-token")) as {
      status: string;
      plugins: object[];
    };
    assert.equal(report.status, "degraded");
    assert.deepEqual(report.plugins[1], { name: "broken", version: "1.0.0", state: "failed" });
  });

  it("writes the problems to a file while it serves, for site doctor", async () => {
    let problem: string | null = null;
    const weather = definePlugin({
      name: "weather",
      version: "1.0.0",
      requires: ["health"],
      setup: (own) => own.use("health").addCheck("weather", () => problem),
    });
    site = await bootSite({ plugins: ["health"], extraPlugins: [weather] });
    const { runtime } = site.site.context("test").paths;
    const lock = await lockRoot(runtime, () => undefined);
    const found = async (): Promise<string | undefined> => (await readProblems(runtime))?.[0]?.part;
    problem = "it rains";
    await until(async () => (await found()) === "weather");
    problem = null;
    await until(async () => (await readProblems(runtime))?.length === 0);
    await site.close();
    assert.equal(await readProblems(runtime), null);
    lock.release();
  });
});
