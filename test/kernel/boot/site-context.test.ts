import assert from "node:assert/strict";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("the argument of setup", () => {
  it("is the plugin's own view of the site", async () => {
    const given: SiteContext[] = [];
    const states: string[] = [];
    const site = await bootProbe((context) => {
      given.push(context);
      states.push(context.lifecycle.state());
      context.lifecycle.onReady(() => void states.push(context.lifecycle.state()));
      context.lifecycle.onClose(() => void states.push(context.lifecycle.state()));
    });
    const [context] = given;
    assert.ok(context);
    assert.equal(context.name, "probe");
    assert.deepEqual(context.config, {});
    assert.equal(context.use("search", { optional: true }), undefined);
    assert.throws(() => context.use("search"), { code: "ERR_SERVICE_UNKNOWN" });
    assert.equal(context.use("health").report()["status"], "ok");
    assert.deepEqual(
      context.runtime.plugins().map(({ name, firstParty, state }) => [name, firstParty, state]),
      [
        ["health", true, "active"],
        ["probe", false, "active"],
      ],
    );
    assert.equal(context.lifecycle.signal.aborted, false);
    await site.close();
    assert.equal(context.lifecycle.signal.aborted, true);
    assert.deepEqual(states, ["starting", "starting", "draining"]);
  });

  it("has every path below the root, from the settings", async () => {
    const given: SiteContext[] = [];
    const setup = (context: SiteContext): void => void given.push(context);
    const settings = {
      admin: { dataDir: "records", runtimeDir: "run" },
      system: { content: { dir: "pages" } },
    };
    const site = await bootProbe(setup, { settings, plugins: ["content"] });
    const { root, ...paths } = given[0]?.paths ?? assert.fail("setup ran");
    assert.equal(root, site.root);
    assert.deepEqual(paths, {
      content: join(root, "pages"),
      data: join(root, "records"),
      runtime: join(root, "run"),
      cache: join(root, ".dune", "cache"),
    });
    await site.close();
  });
});
