import assert from "node:assert/strict";
import { z } from "zod";
import { createEnv, definePlugin, type Plugin, type FirstParty } from "#kernel";
import { inspectSite, loadSite } from "../../../kernel/boot/load-site.js";
import { inFolder } from "../../support/probe-folder.js";

const firstParty = (...plugins: Plugin[]): FirstParty => ({
  plugins: plugins.map((plugin) => ({ name: plugin.name, load: async () => plugin })),
  sharedModules: {},
  module: import.meta.url,
});
const lamp = definePlugin({
  name: "lamp",
  version: "1.0.0",
  settings: {
    site: z.object({ lamp: z.strictObject({ on: z.boolean().default(true) }).prefault({}) }),
  },
});
const shade = definePlugin({ name: "shade", version: "1.0.0", requires: ["lamp"] });
const options = { firstParty: firstParty(shade, lamp), env: createEnv({ SITE_ENV: "production" }) };

describe("loadSite", () => {
  it("returns settings with the defaults of the selected plugins, and the plugins in order", () =>
    inFolder({ "site.yaml": "title: T\nplugins: [shade]\n" }, async (root) => {
      const { settings, plugins } = await loadSite(root, options);
      assert.deepEqual(
        plugins.map(({ plugin }) => plugin.name),
        ["lamp", "shade"],
      );
      assert.deepEqual(Object(settings.site)["lamp"], { on: true });
      assert.ok(Object.isFrozen(settings.site));
    }));

  it("throws every problem at once; inspectSite returns them instead", () =>
    inFolder({ "site.yaml": "title: [1]\nlamp: {on: 3}\nnonsense: 1\n" }, async (root) => {
      await assert.rejects(loadSite(root, options), { code: "ERR_CONFIG_INVALID" });
      const { config } = await inspectSite(root, options);
      assert.deepEqual(config.problems.map(({ key }) => key).toSorted(), [
        "lamp.on",
        "nonsense",
        "title",
      ]);
    }));

  it("checks a changed file without writing it", () =>
    inFolder({ "site.yaml": "title: T\n" }, async (root) => {
      const { configFiles } = await loadSite(root, options);
      assert.deepEqual(await configFiles.check("site.yaml", "title: Other\n"), []);
      const [issue] = await configFiles.check("site.yaml", "title: T\nlamp: {on: maybe}\n");
      assert.deepEqual([issue?.file, issue?.line, issue?.key], ["site.yaml", 2, "lamp.on"]);
    }));
});
