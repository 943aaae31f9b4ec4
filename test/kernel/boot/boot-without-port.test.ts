import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bootWithoutPort } from "#kernel";
import { inFolder } from "../../support/probe-folder.js";

/** A host with one plugin that records its steps on `globalThis.steps`. */
const FIRST_PARTY = `
const plugin = {
  name: "lamp", version: "1.0.0",
  setup(site) {
    globalThis.steps.push(\`setup for \${site.lifecycle.purpose}\`);
    site.lifecycle.onReady(() => {
      globalThis.steps.push("ready");
      if (site.settings.site.title === "Broken") throw new Error("no light");
    });
    site.lifecycle.onListen(() => void globalThis.steps.push("listens"));
    site.lifecycle.onClose(() => void globalThis.steps.push("closed"));
  },
};
export const firstParty = {
  plugins: [{ name: "lamp", load: async () => plugin }], sharedModules: {}, module: import.meta.url,
};
`;

describe("bootWithoutPort", () => {
  const steps: string[] = [];
  beforeEach(() => {
    steps.length = 0;
    Object.assign(globalThis, { steps });
  });
  afterEach(() => void Reflect.deleteProperty(globalThis, "steps"));

  const inSite = (work: (root: string, firstParty: string) => Promise<void>): Promise<void> =>
    inFolder(
      { "site.yaml": "title: T\n", "firstParty.mjs": FIRST_PARTY, "no-firstParty.mjs": "" },
      (root) => work(root, pathToFileURL(join(root, "firstParty.mjs")).href),
    );

  it("boots the site of a recipe without a port, ready when it resolves", () =>
    inSite(async (root, firstParty) => {
      const overrides = { site: { title: "Other" } };
      const site = await bootWithoutPort({ root, firstParty, purpose: "export", overrides });
      assert.deepEqual(steps, ["setup for export", "ready"]);
      assert.equal(site.context("lamp").settings.site.title, "Other");
      assert.equal(site.server.listening, false);
      await site.close();
      assert.equal(steps.at(-1), "closed");
    }));

  it("opens a running site again by its recipe", () =>
    inSite(async (root, firstParty) => {
      const site = await bootWithoutPort({ root, firstParty });
      const again = await bootWithoutPort(site.context("lamp").runtime.recipe);
      assert.deepEqual(steps, ["setup for serve", "ready", "setup for serve", "ready"]);
      await Promise.all([site.close(), again.close()]);
    }));

  it("closes a site that could not start, and throws the reason", () =>
    inSite(async (root, firstParty) => {
      const overrides = { site: { title: "Broken" } };
      await assert.rejects(bootWithoutPort({ root, firstParty, overrides }), /no light/);
      assert.equal(steps.at(-1), "closed");
    }));

  it("rejects a module without the export `firstParty`", () =>
    inSite(async (root) => {
      const firstParty = pathToFileURL(join(root, "no-firstParty.mjs")).href;
      await assert.rejects(bootWithoutPort({ root, firstParty }), { code: "ERR_PLUGIN_LOAD" });
    }));
});
