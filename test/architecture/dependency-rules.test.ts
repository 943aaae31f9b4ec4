import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruiseSources } from "../../scripts/module-graph.js";

// Rule to the files that violate it; the last file is the one that the rule must name.
const offences: Record<string, Record<string, string>> = {
  "kernel-knows-no-feature": {
    "plugins/a/score.ts": "export const score = 1;",
    "kernel/boot.ts": 'import { score } from "../plugins/a/score.js"; export default score;',
  },
  "kernel-imports-siblings": {
    "kernel/boot.ts": 'import { kernel } from "./index.js"; export default kernel;',
  },
  "kernel-through-index": {
    "kernel/hooks/hooks.ts": "export const hooks = 1;",
    "plugins/a/score.ts":
      'import { hooks } from "../../kernel/hooks/hooks.js"; export default hooks;',
  },
  "plugins-use-services": {
    "plugins/b/score.ts": "export const score = 1;",
    "plugins/a/rank.ts": 'import { score } from "../b/score.js"; export default score;',
  },
  "templates-use-theme-api": {
    "plugins/b/score.ts": "export const score = 1;",
    "plugins/a/scaffold/engine.ts": 'import plugins from "../../main.js"; export default plugins;',
    "plugins/a/templates/list.tsx":
      'import { score } from "../../b/score.js"; export default score;',
  },
  "contracts-of-others-as-types": {
    "plugins/b/contract.ts": "export const b = 1;",
    "plugins/a/rank.ts": 'import { b } from "../b/contract.js"; export default b;',
  },
  "contract-is-types": {
    "plugins/a/contract.ts": 'import { kernel } from "#kernel"; export default kernel;',
  },
  "contract-is-a-leaf": {
    "plugins/a/score.ts": "export type Score = number;",
    "plugins/a/contract.ts": 'import type { Score } from "./score.js"; export type A = Score;',
  },
  "engine-is-independent": {
    "plugins/a/settings.ts": "export const settings = 1;",
    "plugins/a/engines/lunr.ts":
      'import { settings } from "../settings.js"; export default settings;',
  },
  "library-behind-its-engine": {
    "plugins/a/thumbnail.ts": 'import sharp from "sharp"; export default sharp;',
  },
  "results-in-the-cache": {
    "plugins/a/score.ts": 'import { LRUCache } from "lru-cache"; export default LRUCache;',
  },
  "express-stays-in-http": {
    "plugins/a/score.ts": 'import type { Request } from "express"; export type R = Request;',
  },
  "yaml-stays-in-lib": {
    "plugins/a/score.ts": 'import { parse } from "yaml"; export default parse;',
  },
  "kernel-without-drivers": {
    "lib/databases/index.ts": "export type RedisClient = object;",
    "kernel/nodes.ts": 'export type { RedisClient } from "../lib/databases/index.js";',
  },
  "themes-use-theme-api": {
    "themes/plain/templates/default.tsx":
      'import { kernel } from "#kernel"; export default kernel;',
  },
  "panel-client-is-browser-code": {
    "plugins/panel/boot.ts": "export const boot = 1;",
    "plugins/panel/client/main.ts": 'import { boot } from "../boot.js"; export default boot;',
  },
  "panel-client-is-bundled": {
    "plugins/panel/client/main.ts": "export const main = 1;",
    "plugins/panel/shell.ts": 'import { main } from "./client/main.js"; export default main;',
  },
  "main-names-the-plugins": {
    "plugins/a/index.ts": "export default {};",
    "plugins/a/score.ts": 'import a from "./index.js"; export default a;',
  },
  "production-without-tests": {
    "test/support/site.ts": "export const site = 1;",
    "plugins/a/score.ts": 'import { site } from "../../test/support/site.js"; export default site;',
  },
  "production-without-dev-packages": {
    "plugins/a/score.ts": 'import check from "fast-check"; export default check;',
  },
  "listed-packages-only": {
    "plugins/a/score.ts": 'import left from "left"; export default left;',
  },
  resolvable: {
    "plugins/a/score.ts": 'import gone from "./gone.js"; export default gone;',
  },
  "specs-are-independent": {
    "test/a.test.ts": "export const a = 1;",
    "test/b.test.ts": 'import { a } from "./a.test.js"; export default a;',
  },
  "no-cycle": {
    "plugins/a/score.ts": 'import type { Rank } from "./rank.js"; export type Score = Rank;',
    "plugins/a/rank.ts": 'import type { Score } from "./score.js"; export type Rank = Score;',
  },
  "scaffolds-use-public-modules": {
    "plugins/b/index.ts": "export default 1;",
    "plugins/a/scaffold/engine.ts": 'import b from "../../b/index.js"; export default b;',
  },
  "no-orphan": {
    "plugins/a/score.ts": "export const score = 1;",
  },
};

const lawful: Record<string, string> = {
  "kernel/cli/main.ts": 'import plugins from "../../plugins/main.js"; export default plugins;',
  "plugins/main.ts":
    'import a from "./a/index.js"; import b from "./b/index.js"; export default [a, b];',
  "plugins/a/contract.ts":
    'import type { kernel } from "#kernel"; import type { B } from "../b/contract.js"; declare module "#kernel" { interface Services { a: B } } export type A = B | typeof kernel;',
  "plugins/a/engines/sharp.ts":
    'import sharp from "sharp"; import type { A } from "../contract.js"; export const made: A = sharp;',
  "plugins/a/index.ts":
    'import { kernel } from "#kernel"; import type { B } from "../b/contract.js"; import { routes } from "./routes.js"; const b: B = 1; export default { kernel, b, routes, images: () => import("./engines/sharp.js") };',
  "plugins/a/routes.ts": 'import express from "express"; export const routes = express;',
  "plugins/a/templates/list.tsx": 'import { Layout } from "#theme"; export default Layout;',
  "plugins/b/contract.ts": "export type B = 1;",
  "plugins/b/index.ts": 'import type { B } from "./contract.js"; const b: B = 1; export default b;',
  "plugins/render/theme-api/index.ts":
    'import { kernel } from "#kernel"; export const Layout = kernel;',
  "themes/plain/templates/default.tsx": 'import { Layout } from "#theme"; export default Layout;',
};

describe("import rules", () => {
  it("allow what the architecture permits", async () => {
    assert.deepEqual(await violations(lawful), []);
  });

  for (const [rule, files] of Object.entries(offences)) {
    it(`${rule} reports a violation`, async () => {
      const offender = Object.keys(files).at(-1);
      const found = await violations(files);
      assert.ok(
        found.some((one) => one.rule === rule && one.from === offender),
        `${rule} did not name ${offender}: ${JSON.stringify(found)}`,
      );
    });
  }
});

async function violations(files: Record<string, string>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "site-rules-")));
  try {
    for (const [name, text] of Object.entries({ ...surroundings(), ...files })) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const { summary } = await cruiseSources(root);
    return summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  } finally {
    rmSync(root, { recursive: true });
  }
}

function surroundings(): Record<string, string> {
  const packages = ["sharp", "express", "fast-check", "left", "lru-cache", "yaml"];
  return {
    "package.json": JSON.stringify({
      type: "module",
      imports: {
        "#kernel": { source: "./kernel/index.ts" },
        "#theme": { source: "./plugins/render/theme-api/index.ts" },
      },
      dependencies: { sharp: "1", express: "1", "lru-cache": "1", yaml: "1" },
      devDependencies: { "fast-check": "1" },
    }),
    "kernel/index.ts": 'import { one } from "./one.js"; export const kernel = one;',
    "kernel/one.ts": 'import { ok } from "node:assert"; export const one = ok;',
    ...Object.fromEntries(
      packages.flatMap((name) => [
        [`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" })],
        [`node_modules/${name}/index.js`, ""],
      ]),
    ),
  };
}
