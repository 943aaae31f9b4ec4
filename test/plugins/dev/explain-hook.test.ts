import assert from "node:assert/strict";
import {
  createEnv,
  createSite,
  definePlugin,
  expectKind,
  expectMethods,
  type FirstParty,
  silentLog,
  type Site,
  type ToolInput,
} from "#kernel";
import { explainHook, type ExplainedHandler } from "../../../plugins/dev/explain-hook.js";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { inFolder } from "../../support/probe-folder.js";
import { kernelErrors } from "../../../kernel/errors.js";

const version = "1.0.0";
const handler = (): void => undefined;
const firstParty: FirstParty = {
  plugins: [
    definePlugin({
      name: "first",
      version,
      hooks: { onRequest: handler, onConfigLoaded: handler },
      setup: ({ engines, extensions }) => {
        engines.open("image", expectMethods(["size"]));
        extensions.open("imageAttributes", { check: expectKind("function") });
      },
    }),
    definePlugin({
      name: "second",
      version,
      requires: ["first"],
      hooks: { onRequest: handler },
      setup: ({ engines, extensions }) => {
        engines.activate("image", { process: assert.fail, size: async () => null });
        extensions.add("imageAttributes", async () => ({}));
      },
    }),
    definePlugin({
      name: "third",
      version,
      after: ["second", "not selected"],
      hooks: { onRequest: { before: "first", handler } },
    }),
  ].map((plugin) => ({ name: plugin.name, load: async () => plugin })),
  sharedModules: {},
  module: import.meta.url,
};

/** Runs `plugins:explain` on a site with these three plugins. */
async function explain(args: readonly string[], options: Record<string, unknown> = {}) {
  const { out, lines, json } = commandOutput();
  const opened: Site[] = [];
  await inFolder({ "site.yaml": "title: T\n" }, async (root) => {
    const how = { firstParty, env: createEnv({}) };
    const site = async () => {
      const made = await createSite(root, { ...how, log: silentLog });
      opened.push(made);
      return made.context("cli");
    };
    try {
      const inspect: ToolInput["inspect"] = (inspected = {}) =>
        inspectSite(root, { ...how, ...inspected });
      const boot: ToolInput["boot"] = (left = {}) => createSite(root, { ...how, ...left });
      const tools = { firstParty, kernelErrors, inspect, boot };
      await explainHook({ args, options, out, root, site, ...tools });
    } finally {
      for (const made of opened) await made.close();
    }
  });
  return { lines, json };
}

describe("plugins:explain", () => {
  it("shows the plugin that opens a slot, and its engines", async () => {
    const { json } = await explain(["image"], { json: true });
    assert.deepEqual(json, [
      { slot: "image", plugin: "first", engines: ["second"], active: "second" },
    ]);
    const { lines } = await explain(["image"]);
    assert.deepEqual(lines, ["image  slot of first", "  second  active"]);
  });

  it("shows the plugin that opens an extension list, and those that add to it", async () => {
    const list = "imageAttributes";
    const { json } = await explain([list], { json: true });
    assert.deepEqual(json, [{ list, plugin: "first", from: ["second"] }]);
    const { lines } = await explain([list]);
    assert.deepEqual(lines, ["imageAttributes  extension list of first", "  second"]);
  });

  it("lists the handlers of a hook, in order, with the reason of each position", async () => {
    const { json } = await explain(["onRequest"], { json: true });
    const [{ kind, handlers }] = json as [{ kind: string; handlers: ExplainedHandler[] }];
    assert.equal(kind, "transform");
    assert.deepEqual(
      handlers.map(({ place, plugin, why }) => [place, plugin, why]),
      [
        [1, "third", "asks to run before first; plugin 3 of 3; runs after second"],
        [2, "first", "plugin 1 of 3"],
        [3, "second", "plugin 2 of 3; requires first"],
      ],
    );
  });

  it("explains the kind of hook in text output, and the time per call at this startup", async () => {
    const { lines } = await explain(["onConfigLoaded"]);
    assert.match(lines[0] ?? "", /^onConfigLoaded {2}create: at startup/);
    assert.match(lines[1] ?? "", /1\. first 1\.0\.0 {2}plugin 1 of 3, \d+\.\d\d ms per call/);
    assert.equal(lines.length, 2);
  });

  it("reports a hook without handlers", async () => {
    const { lines } = await explain(["onResponse"]);
    assert.equal(lines[1], "  no handlers");
  });

  it("rejects an undeclared hook, with the nearest name or all of them", async () => {
    await assert.rejects(explain(["onReqest"]), {
      code: "ERR_HOOK_UNKNOWN",
      fix: "did you mean onRequest?",
    });
    await assert.rejects(explain([]), {
      code: "ERR_HOOK_UNKNOWN",
      fix: /known names: .*onResponse/,
    });
  });
});
