import assert from "node:assert/strict";
import fc from "fast-check";
import { definePlugin, type Plugin } from "#kernel";
import { orderPlugins } from "../../../kernel/boot/order-plugins.js";
import { withoutServing } from "../../../kernel/boot/left-out-plugins.js";

const plugin = (name: string, more: Partial<Plugin> = {}): Plugin =>
  definePlugin({ name, version: "1.0.0", ...more });
const names = (plugins: readonly Plugin[]): string[] => plugins.map(({ name }) => name);

describe("orderPlugins", () => {
  it("keeps the given order without constraints", () => {
    assert.deepEqual(names(orderPlugins([plugin("b"), plugin("a")])), ["b", "a"]);
  });

  it("orders a plugin after what it requires, and after selected plugins in `after`", () => {
    const list = [
      plugin("a", { requires: ["c"], after: ["absent"] }),
      plugin("b", { after: ["a"] }),
      plugin("c"),
    ];
    assert.deepEqual(names(orderPlugins(list)), ["c", "a", "b"]);
  });

  it("rejects two with one name", () => {
    assert.throws(() => orderPlugins([plugin("a"), plugin("a")]), { code: "ERR_PLUGIN_DUPLICATE" });
  });

  it("names both plugins when a required one is missing, and the nearest name", () => {
    assert.throws(() => orderPlugins([plugin("a", { requires: ["contnt"] }), plugin("content")]), {
      code: "ERR_PLUGIN_MISSING",
      message: 'plugin "a" requires plugin "contnt", which is not selected',
      fix: 'did you mean "content"?',
    });
  });

  it("names the plugins of a cycle", () => {
    const list = [plugin("a", { requires: ["b"] }), plugin("b", { after: ["a"] })];
    assert.throws(() => orderPlugins(list), { code: "ERR_PLUGIN_CYCLE", message: /a → b → a/ });
  });

  it("is valid for any selection without cycles", () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 20 });
    fc.assert(
      fc.property(
        edges,
        fc.shuffledSubarray([...Array(10).keys()], { minLength: 10 }),
        (pairs, order) => {
          // An edge from a higher to a lower number cannot create a cycle.
          const down = pairs.filter(([from, to]) => from > to);
          const list = order.map((at) =>
            plugin(`p${at}`, {
              requires: down.flatMap(([from, to]) => (from === at ? [`p${to}`] : [])),
            }),
          );
          const sorted = names(orderPlugins(list));
          return down.every(([from, to]) => sorted.indexOf(`p${to}`) < sorted.indexOf(`p${from}`));
        },
      ),
    );
  });
});

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
