import assert from "node:assert/strict";
import type { ICruiseResult, IDependency } from "dependency-cruiser";
import { cruiseSources, sourceFiles } from "../../scripts/module-graph.js";
import { textOf } from "../support/repository.js";

// Slow to import or large: `await import()` on first use.
const heavyPackages = [
  "@mdx-js/mdx",
  "@opentelemetry/otlp-transformer",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-node",
  "better-sqlite3",
  "connect-redis",
  "csv-parse",
  "esbuild",
  "kysely",
  "lunr",
  "nodemailer",
  "openid-client",
  "pg",
  "pg-boss",
  "playwright-core",
  "rate-limit-redis",
  "redis",
  "rehype-raw",
  "remark-gfm",
  "saxes",
  "sharp",
  "stripe",
];

describe("the modules of this repository", () => {
  let graph: ICruiseResult;
  before(async function () {
    this.timeout(240_000);
    graph = await cruiseSources();
  });

  it("were all seen by dependency-cruiser", () => {
    const seen = new Set(graph.modules.map((module) => module.source));
    const files = sourceFiles();
    assert.deepEqual(
      files.filter((file) => !seen.has(file)),
      [],
    );
    assert.ok(graph.summary.totalCruised > files.length, "packages and node: modules count too");
    const withImports = graph.modules.filter((module) => module.dependencies.length > 0);
    assert.ok(withImports.length > files.length / 2, "the cruiser saw files and no imports");
  });

  it("follow the import rules", () => {
    const found = graph.summary.violations.map(
      ({ rule, from, to }) => `${rule.name}: ${from} → ${to}`,
    );
    assert.deepEqual(found, []);
  });

  it("load heavy packages lazily", () => {
    const { dependencies, devDependencies } = JSON.parse(textOf("package.json"));
    const gone = heavyPackages.filter((name) => !(name in { ...dependencies, ...devDependencies }));
    assert.deepEqual(gone, [], "packages that no file imports any more");
    const chains = heavyPackages.flatMap((name) => staticChain(graph, name));
    assert.deepEqual(chains, [], "a static import of the start reaches a heavy package");
  });
});

// The path of static imports from the program's entry to a package; empty when no such path exists.
function staticChain(graph: ICruiseResult, name: string): string[] {
  const importsOf = new Map(graph.modules.map((one) => [one.source, one.dependencies]));
  const target = `node_modules/${name}/`;
  // The compiled start loads all plugins at once, see scripts/bundle.mjs.
  const plugins = [...importsOf.keys()].filter((one) => /^plugins\/[^/]+\/index\.ts$/.test(one));
  const entries = ["kernel/cli/main.ts", "kernel/index.ts", ...plugins];
  const queue = entries.map((one) => [one]);
  const visited = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const here = path.at(-1) ?? "";
    if (here.startsWith(target)) return [path.join(" → ")];
    if (visited.has(here) || here.startsWith("node_modules/")) continue;
    visited.add(here);
    const next = (importsOf.get(here) ?? []).filter(isLoadedAtOnce);
    queue.push(...next.map((one) => [...(path ?? []), one.resolved]));
  }
  return [];
}

function isLoadedAtOnce({ dynamic, dependencyTypes }: IDependency): boolean {
  return (
    !dynamic && !dependencyTypes.some((type) => type === "type-only" || type === "type-import")
  );
}
