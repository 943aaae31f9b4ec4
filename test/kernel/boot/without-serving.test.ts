import assert from "node:assert/strict";
import { definePlugin, type Plugin } from "#kernel";
import { withoutServing } from "../../../kernel/boot/left-out-plugins.js";

const loaded = (plugin: Partial<Plugin> & { name: string }) => ({
  plugin: definePlugin({ version: "1.0.0", ...plugin }),
  firstParty: true,
  src: null,
  config: {},
  path: null,
  isDefault: false,
});

describe("plugins of a static export", () => {
  it("excludes plugins that only a server needs, and those that require them, at any distance", () => {
    const plugins = [
      loaded({ name: "shop", requires: ["accounts"] }),
      loaded({ name: "accounts", requires: ["sessions"] }),
      loaded({ name: "sessions", onlyServing: true }),
      loaded({ name: "pages", after: ["sessions"] }),
    ];
    assert.deepEqual(
      withoutServing(plugins).map(({ plugin }) => plugin.name),
      ["pages"],
    );
  });

  it("keeps every plugin when none needs a server", () => {
    const plugins = [loaded({ name: "a" }), loaded({ name: "b", requires: ["a"] })];
    assert.deepEqual(withoutServing(plugins), plugins);
  });
});
