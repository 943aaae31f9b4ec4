import assert from "node:assert/strict";
import { definePlugin, SiteError, type Plugin } from "#kernel";
import { placeOf } from "#lib/modules";
import { failureFields } from "../../../kernel/boot/describe-failure.js";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const HERE = /test\/kernel\/boot\/failure\.test\.ts:\d+:\d+$/;

function thrown(): Error {
  return new Error("on purpose");
}

describe("an exception of a plugin", () => {
  let site: TestSite | null = null;
  let log: RecordedLog;
  const boot = async (plugin: Omit<Plugin, "name" | "version">): Promise<void> => {
    log = new RecordedLog();
    const extraPlugins = [definePlugin({ name: "mine", version: "1.0.0", ...plugin })];
    site = await bootSite({ plugins: ["content"], extraPlugins, log: log.logger });
  };
  const assertLogged = (event: string): void => {
    const [line] = log.of(event);
    assert.match(String(line?.fields["at"]), HERE, event);
    const stack = line?.fields["stack"];
    assert.ok(Array.isArray(stack) && stack.length > 1);
    assert.match(String(stack[0]), /on purpose/);
    assert.match(String(stack[1]), /failure\.test\.ts/);
  };
  beforeEach(() => void (site = null));
  afterEach(() => site?.close());

  it("in setup is logged with position and stack, whether or not the plugin is optional", async () => {
    const setup = (): never => {
      throw thrown();
    };
    await assert.rejects(boot({ setup }), { code: "ERR_PLUGIN_SETUP" });
    assertLogged("plugin.failed");
    await boot({ setup, optional: true });
    assertLogged("plugin.failed");
  });

  it("in onReady is logged with position and stack", async () => {
    const setup: Plugin["setup"] = (context) =>
      context.lifecycle.onReady(() => Promise.reject(thrown()));
    await assert.rejects(boot({ setup }), { code: "ERR_PLUGIN_SETUP" });
    assertLogged("plugin.failed");
  });

  it("in a hook is logged with position and stack", async () => {
    const fail = (): never => {
      throw thrown();
    };
    await boot({ hooks: { onRequest: fail } });
    await site?.fetch("/");
    assertLogged("hook.failed");
    await site?.close();
    await assert.rejects(boot({ hooks: { onContentIndexReady: fail } }));
    assertLogged("hook.failed");
    assert.equal(log.of("hook.failed").length, 1);
    // The plugin that fired the hook has not failed.
    assert.equal(log.of("plugin.failed").length, 0);
  });

  it("in a create hook ends the start with its own code and fix", async () => {
    const fail = (): never => {
      throw new SiteError("ERR_SHOP_CLOSED", "on purpose", { fix: "open the shop" });
    };
    await assert.rejects(boot({ hooks: { onContentIndexReady: fail } }), {
      code: "ERR_SHOP_CLOSED",
      message: 'plugin "mine" failed in onContentIndexReady: on purpose',
      fix: "open the shop",
    });
  });

  it("in afterReady and onClose is logged with position and stack", async () => {
    await boot({
      setup(context) {
        context.lifecycle.onClose(() => Promise.reject(thrown()));
        context.lifecycle.afterReady(() => Promise.reject(thrown()));
      },
    });
    await site?.close();
    assertLogged("close.failed");
    if (log.of("later.failed").length > 0) assertLogged("later.failed");
  });
});

describe("the position of an exception", () => {
  it("is that of its root cause", () => {
    const error = new Error("outer", { cause: new Error("inner") });
    assert.match(failureFields(error).stack[0] ?? "", /inner/);
    assert.equal(failureFields(error).error, "outer");
  });

  it("is parsed from a parser's message and from a file URL", () => {
    const parse = Object.assign(new Error("ParseError: Unexpected token\n /site/a.ts:3:11"), {
      stack: "",
    });
    assert.deepEqual(placeOf(parse), { file: "/site/a.ts", line: 3, column: 11 });
    const loaded = Object.assign(new Error("x"), {
      stack: "Error: x\n    at file:///site/my%20plugin.mjs:1:7",
    });
    assert.deepEqual(placeOf(loaded), { file: "/site/my plugin.mjs", line: 1, column: 7 });
  });

  it("prefers the author's code to packages and Node, and is null without a stack", () => {
    const error = Object.assign(new Error("x"), {
      stack: [
        "Error: x",
        "    at parse (/site/node_modules/zod/index.js:1:1)",
        "    at node:internal/process:2:2",
        "    at setup (/site/plugins/a.ts:4:5)",
      ].join("\n"),
    });
    assert.equal(failureFields(error).at, "/site/plugins/a.ts:4:5");
    assert.equal(failureFields("text").at, undefined);
  });
});

describe("the fields of a failure", () => {
  it("have the code and the fix of an error that has them", () => {
    const { code, fix } = failureFields(new SiteError("ERR_HOOK_VALUE", "wrong", { fix: "do it" }));
    assert.deepEqual([code, fix], ["ERR_HOOK_VALUE", "do it"]);
    const ofNode = Object.assign(new Error("x"), { code: "ENOENT" });
    assert.deepEqual(
      [failureFields(ofNode).code, failureFields(ofNode).fix],
      ["ENOENT", undefined],
    );
    // It could be a login code.
    const foreign = Object.assign(new Error("x"), { code: "394821" });
    assert.equal("code" in failureFields(foreign), false);
  });
});
