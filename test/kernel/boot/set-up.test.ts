import assert from "node:assert/strict";
import { definePlugin, SiteError, type Plugin, type SiteContext } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const plugin = (name: string, more: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, version: "1.0.0", ...more });
const boot = (...extraPlugins: Plugin[]): Promise<TestSite> =>
  bootSite({ plugins: ["health"], extraPlugins });

describe("setting plugins up", () => {
  it("declares the hooks of every plugin before the first setup", async () => {
    const declared: unknown[] = [];
    const first = plugin("first", {
      setup: ({ hooks }) => void declared.push(hooks.declared().get("onCacheInvalidate")),
    });
    const second = plugin("second", { after: ["first"], fires: { onCacheInvalidate: "notify" } });
    await (await boot(first, second)).close();
    assert.deepEqual(declared, ["notify"]);
  });

  it("subscribes handlers as functions, or with their order", async () => {
    const ran: string[] = [];
    const early = plugin("early", { hooks: { onConfigLoaded: () => void ran.push("early") } });
    const placed = { before: "early", handler: () => void ran.push("placed") };
    await (await boot(early, plugin("late", { hooks: { onConfigLoaded: placed } }))).close();
    assert.deepEqual(ran, ["placed", "early"]);
  });

  it("waits for a setup before the next one starts, and records durations", async () => {
    const steps: string[] = [];
    const slow = plugin("slow", {
      async setup() {
        await new Promise((resolve) => setImmediate(resolve));
        steps.push("slow");
      },
    });
    const next = plugin("next", { requires: ["slow"], setup: () => void steps.push("next") });
    const { site, close } = await boot(next, slow);
    const timed = site.bootSteps().filter(({ step }) => step === "setup");
    await close();
    assert.deepEqual(steps, ["slow", "next"]);
    assert.ok(timed.some((at) => at.plugin === "slow") && timed.some((at) => at.plugin === "next"));
  });

  it("ends the startup when a plugin fails, naming it and how to disable it", async () => {
    const broken = plugin("broken", { setup: () => Promise.reject(new Error("no disk")) });
    await assert.rejects(boot(broken), {
      code: "ERR_PLUGIN_SETUP",
      message: 'plugin "broken" could not start: no disk',
      fix: /broken: \{ enabled: false \}/,
    });
  });

  it("passes on an error with a code of its own", async () => {
    const own = new SiteError("ERR_PORT_IN_USE", "mine", { fix: "this" });
    const broken = plugin("broken", {
      setup() {
        throw own;
      },
    });
    await assert.rejects(boot(broken), (error) => error === own);
  });

  it("says how to use an object of the site that is a service now", async () => {
    const earlier = plugin("earlier", {
      setup(site) {
        Reflect.get(site, "jobs").define("work", {});
      },
    });
    await assert.rejects(boot(earlier), {
      code: "ERR_PLUGIN_SETUP",
      message: 'plugin "earlier" uses site.jobs, which is a service now',
      fix: 'add `requires: ["jobs"]` to the plugin, and call site.use("jobs") instead',
    });
  });

  it("continues without an optional plugin, and reports it", async () => {
    const contexts: SiteContext[] = [];
    const log = new RecordedLog();
    const site = await bootSite({
      plugins: ["health"],
      log: log.logger,
      extraPlugins: [
        plugin("extra", {
          optional: true,
          setup({ paths }) {
            throw new Error(`no extra in ${paths.root}/extras`);
          },
        }),
        plugin("next", { after: ["extra"], setup: (context) => void contexts.push(context) }),
      ],
    });
    const found = contexts[0]?.runtime.plugins().find(({ name }) => name === "extra");
    await site.close();
    assert.deepEqual([found?.state, found?.error], ["failed", "no extra in ./extras"]);
    assert.deepEqual(
      log.of("plugin.failed").map(({ fields }) => [fields["failed"], fields["error"]]),
      [["extra", `no extra in ${site.root}/extras`]],
    );
  });
});
