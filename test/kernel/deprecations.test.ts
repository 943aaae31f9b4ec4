import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite } from "../support/sites/boot-site.js";

describe("a deprecation", () => {
  it("is logged once per code and message, and listed with its plugin", async () => {
    const shop = definePlugin({
      name: "shop",
      version: "2.1.0",
      setup(site) {
        const deprecate = (message: string): void =>
          site.deprecate("SHOP_CART_HOOK", message, "2.1.0");
        deprecate("onCart is replaced by onCartChange");
        deprecate("onCart is replaced by onCartChange");
        deprecate("onCartDrop is replaced by onCartChange");
      },
    });
    const log = new RecordedLog();
    const { site, close } = await bootSite({ plugins: [], extraPlugins: [shop], log: log.logger });
    const found = site.context("test").runtime.deprecations();
    assert.deepEqual(
      found.map(({ plugin, code, message, since }) => [plugin, code, message, since]),
      [
        ["shop", "SHOP_CART_HOOK", "onCart is replaced by onCartChange", "2.1.0"],
        ["shop", "SHOP_CART_HOOK", "onCartDrop is replaced by onCartChange", "2.1.0"],
      ],
    );
    assert.deepEqual(
      log.of("deprecated").map(({ level, fields }) => [level, fields["message"]]),
      found.map(({ message }) => ["warn", message]),
    );
    await close();
  });
});
