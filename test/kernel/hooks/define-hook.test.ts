import assert from "node:assert/strict";
import { defineHook, definePlugin, type Hooks, type Plugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

interface Order {
  id: string;
  total: number;
}
const onOrderPaid = defineHook<{ order: Order }>("onOrderPaid", "notify");
const onPrice = defineHook<{ total: number }>("onPrice", "transform");
const onShopCreate = defineHook<{ register(name: string): void }>("onShopCreate", "create");

describe("defineHook", () => {
  let site: TestSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });

  async function boot(listen: (hooks: Hooks) => void = () => undefined): Promise<Hooks> {
    const state: { hooks?: Hooks } = {};
    const shop = definePlugin({
      name: "shop",
      version: "1.0.0",
      fires: [onOrderPaid, onPrice, onShopCreate],
      setup: ({ hooks }) => void (state.hooks = hooks),
    });
    const listener = definePlugin({
      name: "listener",
      version: "1.0.0",
      setup: ({ hooks }) => listen(hooks),
    });
    site = await bootSite({ extraPlugins: [shop, listener] });
    if (state.hooks === undefined) throw new Error("setup did not run");
    return state.hooks;
  }
  const bootOf = (...plugins: Plugin[]): Promise<TestSite> => bootSite({ extraPlugins: plugins });

  it("types the payload of handlers and callers, for each kind", async () => {
    const seen: (string | number)[] = [];
    const hooks = await boot((listening) => {
      listening.on(onOrderPaid, ({ event, data }) => void seen.push(event, data.order.id));
      listening.on(onPrice, ({ data, setData }) => setData({ total: data.total * 2 }));
      listening.on(onShopCreate, ({ data }) => data.register("till"));
    });
    hooks.notify(onOrderPaid, { order: { id: "a1", total: 3 } });
    await hooks.settled();
    const { total } = await hooks.transform(onPrice, { total: 21 });
    await hooks.run(onShopCreate, { register: (name) => void seen.push(name) });
    assert.deepEqual([...seen, total], ["onOrderPaid", "a1", "till", 42]);
  });

  it("lists the hook with its kind and handlers", async () => {
    const hooks = await boot((listening) => listening.on(onPrice, () => undefined));
    assert.equal(hooks.declared().get("onOrderPaid"), "notify");
    assert.deepEqual([hooks.has(onPrice), hooks.has(onOrderPaid)], [true, false]);
    assert.deepEqual(hooks.handlers(onPrice), [{ plugin: "listener", order: {} }]);
  });

  it("is checked by the compiler", () => {
    const misuse = (hooks: Hooks): void => {
      // @ts-expect-error -- another payload
      hooks.notify(onOrderPaid, { order: "a1" });
      // @ts-expect-error -- the verb of another kind
      void hooks.transform(onOrderPaid, { order: { id: "a1", total: 1 } });
      // @ts-expect-error -- a field that the payload does not have
      hooks.on(onPrice, ({ data }) => void data.sum);
      // @ts-expect-error -- an unknown kind
      defineHook("onOther", "event");
    };
    assert.equal(typeof misuse, "function");
  });

  it("stops the boot when two plugins define one name", async () => {
    const fires = [defineHook<object>("onOrderPaid", "notify")];
    const shop = definePlugin({ name: "shop", version: "1.0.0", fires: [onOrderPaid] });
    const till = definePlugin({ name: "till", version: "1.0.0", fires });
    await assert.rejects(bootOf(shop, till), {
      code: "ERR_HOOK_DUPLICATE",
      message: 'hook "onOrderPaid" is declared by plugin "shop" and by plugin "till"',
    });
  });

  it("stops the boot when a handler belongs to a hook of a plugin that is not selected", async () => {
    const listener = definePlugin({
      name: "listener",
      version: "1.0.0",
      setup: ({ hooks }) => hooks.on(onOrderPaid, () => undefined),
    });
    await assert.rejects(bootOf(listener), { code: "ERR_HOOK_UNKNOWN" });
  });

  it("may be listed by every plugin that fires it", async () => {
    const shop = definePlugin({ name: "shop", version: "1.0.0", fires: [onOrderPaid] });
    const till = definePlugin({ name: "till", version: "1.0.0", fires: [onOrderPaid] });
    site = await bootOf(shop, till);
    assert.equal(site.site.context("test").hooks.declared().get("onOrderPaid"), "notify");
  });
});
