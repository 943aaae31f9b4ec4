import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import { createOutput } from "#lib/terminal";
import { report } from "../../../kernel/cli/report.js";
import { processEnv } from "../../../kernel/config/env.js";
import type { ToolInput } from "../../../kernel/cli/tool-input.js";
import doctorPlugin from "../../../plugins/doctor/index.js";
import type { Plugin } from "../../../kernel/contracts.js";
import { withRoot, type Files } from "../../support/sites/config-root.js";
import { kernelErrors } from "../../../kernel/errors.js";
import { commandsOf } from "../../../kernel/plugin.js";

const shop: Plugin = {
  name: "shop",
  version: "1.0.0",
  settings: {
    site: z.object({
      shop: z
        .strictObject({
          key: z.string().meta({ secret: true }).describe("Key").optional(),
          size: z.int().describe("Size").default(3),
        })
        .describe("Shop")
        .prefault({}),
    }),
  },
};
const folder: Plugin = {
  name: "folder",
  version: "1.0.0",
  inspect: ({ site }, { root, plugins, hasOwnPlugins }) => {
    assert.ok(isAbsolute(root));
    assert.deepEqual([plugins.includes("folder"), hasOwnPlugins], [true, false]);
    if (site.title !== "Without a folder") return [];
    const text = { expected: "a folder that exists", fix: "create it" };
    return [{ file: "system", key: "content.dir", received: "content", ...text }];
  },
};
const firstParty = {
  plugins: [
    { name: "shop", load: async () => shop },
    { name: "folder", load: async () => folder },
  ],
  sharedModules: {},
  module: import.meta.url,
};

async function run(
  name: string,
  files: Files,
  { args = [], options = {} }: { args?: string[]; options?: Record<string, unknown> } = {},
) {
  return withRoot(files, (root) => runIn(name, { root, args, options }));
}
async function runIn(
  name: string,
  {
    root,
    args = [],
    options = {},
  }: { root: string; args?: string[]; options?: Record<string, unknown> },
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const command = (await commandsOf(doctorPlugin)).find((candidate) => candidate.name === name);
  assert.ok(command);
  const out = createOutput({ out: stdout, err: stderr });
  const site = () => assert.fail("the site was booted");
  const inspect: ToolInput["inspect"] = ({ mode, ...inspected } = {}) =>
    inspectSite(root, { firstParty, env: processEnv(mode), ...inspected });
  const input = { args, options, root, site, out, firstParty, kernelErrors, inspect, boot: site };
  const running = async () => command.run(input);
  const code = await running().catch((error: unknown) => report(error, out));
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}
const broken = {
  "site.yaml": "title: T\nurl: nope\nshop: { sze: 1, key: canary }\n",
  "system.yaml": "debug: 7\n",
};

describe("site config:validate", () => {
  it("prints every problem on a line, and exits with 1", async () => {
    const { code, out } = await run("config:validate", broken);
    assert.equal(code, 1);
    assert.deepEqual(
      out
        .trim()
        .split("\n")
        .map((line) => line.split("  ").slice(0, 2)),
      [
        ["site.yaml:2:1", "url"],
        ["site.yaml:3:9", "shop.sze"],
        ["system.yaml:1:1", "debug"],
      ],
    );
    assert.match(out, /did you mean "size"\?/);
  });

  it("prints JSON with every field of every error", async () => {
    const { code, out } = await run("config:validate", {}, { options: { json: true } });
    const { errors } = JSON.parse(out);
    assert.equal(code, 1);
    assert.deepEqual(Object.keys(errors[0]), [
      "file",
      "line",
      "column",
      "key",
      "received",
      "expected",
      "fix",
    ]);
    assert.deepEqual(
      [errors[0].file, errors[0].key, errors[0].received],
      ["site.yaml", "title", null],
    );
  });

  it("exits with 0 for a valid configuration", async () => {
    assert.equal((await run("config:validate", { "site.yaml": "title: T" })).code, 0);
    const { code, out } = await run(
      "config:validate",
      { "site.yaml": "title: T" },
      { options: { json: true } },
    );
    assert.deepEqual([code, JSON.parse(out)], [0, { errors: [] }]);
  });

  it("exits with 2 when it could not run: unknown folder, unknown mode", async () => {
    assert.equal((await runIn("config:validate", { root: "/nowhere/at/all" })).code, 2);
    assert.equal((await run("config:validate", {}, { options: { env: "staging" } })).code, 2);
  });

  it("checks the overlay of the given mode", async () => {
    const files = { "site.yaml": "title: T", "env/dev/site.yaml": "url: nope" };
    assert.equal((await run("config:validate", files, { options: { env: "dev" } })).code, 1);
    assert.equal((await run("config:validate", files, { options: { env: "production" } })).code, 0);
  });

  it("reports a plugin that cannot be loaded at its line, with the other problems", async () => {
    const { code, out } = await run("config:validate", {
      "site.yaml": "title: T\nurl: nope\nplugins:\n  - shop\n  - src: npm:gone@^1.0.0\n",
      "system.yaml": "debug: 7\n",
    });
    assert.equal(code, 1);
    const lines = out.trim().split("\n");
    assert.deepEqual(lines.map((line) => line.split("  ").slice(0, 2)).sort(), [
      ["site.yaml:2:1", "url"],
      ["site.yaml:5:5", "plugins[1]"],
      ["system.yaml:1:1", "debug"],
    ]);
    assert.match(out, /"gone" is not installed.*npm install gone@\^1\.0\.0/);
  });

  it("lets plugins check the folder of the site; other commands do not", async () => {
    const files = { "site.yaml": "title: Without a folder\n" };
    const { code, out } = await run("config:validate", files);
    assert.equal(code, 1);
    assert.match(out, /system\.yaml\S* {2}content.* a folder that exists/);
    assert.equal((await run("config:show", files)).code, 0);
  });

  it("only warns about keys of a disabled plugin", async () => {
    const { code, err } = await run("config:validate", {
      "site.yaml": "title: T\nplugins: { shop: false }\nshop: { sze: 1 }",
    });
    assert.equal(code, 0);
    assert.match(err, /site\.yaml:3:1  shop .*not selected/);
  });
});

describe("site config:show", () => {
  const files = {
    "site.yaml": "title: T\nshop: { key: canary }",
    "env/production/site.yaml": "\nshop: { size: 9 }",
  };

  it("prints each value with its source, secrets masked", async () => {
    const { code, out } = await run("config:show", files, { options: { env: "production" } });
    assert.equal(code, 0);
    assert.match(out, /title: "T"  ← site\.yaml:1:1/);
    assert.match(out, /shop\.size: 9  ← env\/production\/site\.yaml:2:9/);
    assert.match(out, /shop\.key: "\*\*\*"  ← site\.yaml:2:9/);
    assert.match(out, /timezone: "UTC"  ← default/);
    assert.doesNotMatch(out, /canary/);
  });

  it("prints the same as JSON", async () => {
    const { out } = await run("config:show", files, { options: { env: "production", json: true } });
    const shown = JSON.parse(out);
    assert.deepEqual(shown.site.shop, { key: "***", size: 9 });
    assert.equal(shown.sources["site.shop.size"], "env/production/site.yaml:2:9");
    assert.equal(shown.sources["system.debug"], "default");
  });
});

describe("site schema:export", () => {
  it("prints the JSON Schema of site.yaml, or of the given file", async () => {
    const site = JSON.parse((await run("schema:export", {})).out);
    assert.ok(site.properties.shop.properties.size);
    const system = JSON.parse((await run("schema:export", {}, { args: ["system"] })).out);
    assert.ok(system.properties.timezone);
  });

  it("exits with 2 for another file", async () => {
    assert.equal((await run("schema:export", {}, { args: ["theme"] })).code, 2);
  });
});
