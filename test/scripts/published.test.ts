import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "#lib/packages";
import { bootSite } from "../support/sites/boot-site.js";
import { runCodegen } from "../support/sites/codegen-site.js";
import { installPublished } from "../support/packages/published-package.js";
import { codeOfFile } from "../acceptance/documentation.js";
import { textOf } from "../support/repository.js";

const run = promisify(execFile);

const plugin = `import { definePlugin } from "sitewright";
import type { SearchEngine } from "sitewright/plugins";
import * as z from "zod";

export const config = z.object({ greeting: z.string().default("Hello") });

export const engine: Pick<SearchEngine, "suggest"> = { suggest: () => [] };

export default definePlugin<z.infer<typeof config>>({
  name: "greeter",
  version: "1.0.0",
  requires: ["content"],
  config,
  hooks: {
    onPageUpdate: ({ data, log }) => log.info("greeter.seen", { page: data.sourcePath }),
  },
  setup(site) {
    const { greeting } = site.config;
    site.http.route({
      method: "get",
      path: "/api/greet",
      summary: "Greets",
      query: z.object({ name: z.string().max(50) }),
      handler: (req, res, { query }) => {
        const pages = site.use("content").view().list({ offset: 0, limit: 1 }).total;
        return site.http.json(req, res, { text: \`\${greeting}, \${query.name}\`, pages });
      },
    });
  },
});
`;
// Each line is a mistake: where the types know nothing of it, the compiler says that it expected one.
const mistakes = `import { definePlugin } from "sitewright";
// @ts-expect-error -- not public
import { readYaml } from "sitewright";
// @ts-expect-error -- not exported
import * as internal from "sitewright/internal";
export const hidden = [readYaml, internal];
definePlugin({
  name: "wrong",
  version: "1.0.0",
  // @ts-expect-error -- unknown hook
  hooks: { onPageUpdated: () => undefined },
  setup(site) {
    // @ts-expect-error -- unknown service
    site.use("contents");
    // @ts-expect-error -- a title is a text
    const title: number = site.settings.site.title;
    site.http.route({
      method: "get",
      path: "/x",
      summary: "",
      // @ts-expect-error -- requests are typed
      handler: (req, res) => void res.json(req.nothing, title),
    });
  },
});
`;
// Plugins extend the interfaces by declaration merging.
const merged = `import { definePlugin, expectMethods, type NotifyHook } from "sitewright";
declare module "sitewright" {
  interface Services {
    counter: { next(): number };
  }
  interface Engines {
    pump: { start(): void };
  }
  interface HookMap {
    onCount: NotifyHook<{ count: number }>;
  }
  interface SiteSettings {
    counter: { from: number };
  }
  interface SystemSettings {
    pump: string;
  }
  interface AdminSettings {
    gauge: boolean;
  }
  interface RequestState {
    count?: number;
  }
}
export default definePlugin({
  name: "counter",
  version: "1.0.0",
  fires: { onCount: "notify" },
  setup(site) {
    const { site: own, system, admin } = site.settings;
    const engine: string = system.pump;
    site.engines.open("pump", expectMethods(["start"])).register(engine, { start: () => undefined });
    site.provide("counter", { next: () => own.counter.from });
    const next: number | undefined = site.use("counter", { optional: true })?.next();
    site.http.use("routes", (req, _res, done) => {
      req.ctx.state.count = admin.gauge ? next : site.use("content").view().list({ offset: 0, limit: 1 }).total;
      site.hooks.notify("onCount", { count: req.ctx.state.count ?? 0 });
      done();
    });
  },
});
`;
const STUB = ["--hook", "onPageUpdate", "--route", "/api/boats", "--register"];
const tsconfig = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    jsx: "react-jsx",
    jsxImportSource: "preact",
  },
  include: ["plugins", "themes", ".site/types/*.d.ts"],
};
/** What `site codegen plugin` is asked for, by name of the plugin. */
const GENERATED = {
  plain: {},
  hooked: { hook: ["onPageUpdate", "onRequest", "onSearchRecordsCollect"], route: "/api/hooked" },
  finder: { engine: "search" },
  "my-users": { engine: "userStore" },
  "my-sessions": { engine: "sessionStore" },
};

describe("the published package in an empty folder", function () {
  this.timeout(240_000);
  let folder: string;
  let site: string;
  let files: readonly string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-published-"));
    files = await installPublished(folder);
    site = join(folder, "my-site");
    await run(bin(), ["new", "my-site"], { cwd: folder });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const bin = (): string => join(folder, "node_modules", ".bin", "site");

  it("contains compiled code and types: no sources, no source maps, no tests", () => {
    assert.ok(files.includes("dist/kernel/cli/main.js"));
    assert.ok(files.includes("dist/site.d.ts"));
    const others = files.filter(
      (file) => !/^(dist|kernel\/cli\/(bin|start|restore-version)\.mjs|[A-Z]+)/.test(file),
    );
    assert.deepEqual(others, ["package.json"]);
    const wrong = files.filter((file) => /\.map$|(?<!\.d)\.tsx?$|\.test\.|\.stamp/.test(file));
    // Scaffolds are shipped as sources.
    assert.deepEqual(
      wrong.filter((file) => !file.includes("/scaffold/")),
      [],
    );
  });

  it("names no folder of the machine it was made on", async () => {
    const home = join(folder, "node_modules", "sitewright");
    for (const file of files) {
      const text = await readFile(join(home, file), "latin1");
      assert.ok(!text.includes(packageRoot()), file);
      assert.ok(!/^\/\/[#@] ?sourceMappingURL=/m.test(text) || !file.endsWith(".js"), file);
    }
  });

  it("creates a site", async () => {
    const made = await readdir(site);
    assert.ok(made.includes("site.yaml") && made.includes("content"));
  });

  it("has types for hooks, services, settings and requests in TypeScript plugins", async () => {
    await addPlugin(site);
    await run(bin(), ["codegen", "plugin", "boats", ...STUB], { cwd: site });
    await addGenerated(site);
    await addDocumented(site);
    await writeFile(join(site, "tsconfig.json"), JSON.stringify(tsconfig));
    await writeFile(join(site, "plugins", "mistakes.ts"), mistakes);
    const contracts = textOf("test/fixtures/types/every-contract.ts");
    await writeFile(join(site, "plugins", "every-contract.ts"), contracts);
    await writeFile(join(site, "plugins", "merged.ts"), merged);
    const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
    const result = await run(process.execPath, [tsc, "-p", site]).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(result.stdout, "");
  });

  it("needs no types of browsers, Preact or drivers for any door but that of themes", async () => {
    const { exports } = JSON.parse(textOf("package.json")) as { exports: Record<string, unknown> };
    const doors = Object.keys(exports).filter((door) => !/theme$|json$/.test(door));
    const lines = doors.map((door) => `import "sitewright${door.slice(1)}";\n`);
    await writeFile(join(site, "doors.ts"), lines.join(""));
    const { jsx: _jsx, jsxImportSource: _source, ...compilerOptions } = tsconfig.compilerOptions;
    const settings = { compilerOptions, files: ["doors.ts"] };
    await writeFile(join(site, "doors.json"), JSON.stringify(settings));
    const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
    const words = [tsc, "-p", join(site, "doors.json"), "--listFilesOnly"];
    const listed = (await run(process.execPath, words, { maxBuffer: 10_000_000 })).stdout.split(
      "\n",
    );
    assert.ok(listed.some((file) => file.endsWith("/sitewright/dist/plugins/testing.d.ts")));
    const unwanted =
      /\/lib\.dom\.|\/node_modules\/(?:preact|kysely|pg|redis|@redis|@types\/pg|aws4fetch)\//;
    assert.deepEqual(
      listed.filter((file) => unwanted.test(file)),
      [],
    );
  });

  it("runs the tests of generated plugins, and of the one in the documentation", async () => {
    const { stdout } = await run(bin(), ["plugins:test", "boats", "words"], { cwd: site });
    assert.match(stdout, /pass 2\n(?:#|ℹ) fail 0/);
    const files = Object.keys(GENERATED).map((name) => `./plugins/${name}/${name}.test.ts`);
    const program = files.map((file) => `await import(${JSON.stringify(file)});`).join("");
    const words = ["--import=tsx", "--input-type=module", "--eval", program];
    const generated = await run(process.execPath, words, { cwd: site });
    assert.match(generated.stdout, /# fail 0/);
  });

  it("serves the site with the plugins", async () => {
    const child = spawn(bin(), ["serve", "--port", "0"], { cwd: site });
    try {
      const url = await addressOf(child);
      const greeting = await fetch(`${url}/api/greet?name=Ann`);
      assert.deepEqual(await greeting.json(), { text: "Good day, Ann", pages: 4 });
      assert.equal((await fetch(`${url}/api/greet`)).status, 400);
      const boats = await fetch(`${url}/api/boats?name=sea`);
      assert.deepEqual(await boats.json(), { text: "Hello, sea" });
      const home = await fetch(url);
      assert.equal(home.status, 200);
      assert.match(await home.text(), /<h1/);
    } finally {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    }
    assert.equal(child.exitCode, 0);
  });
});

async function addPlugin(site: string): Promise<void> {
  await run("mkdir", ["-p", join(site, "plugins")]);
  await writeFile(join(site, "plugins", "greeter.ts"), plugin);
  const entry = "plugins:\n  - src: ./plugins/greeter.ts\n    config: { greeting: Good day }\n";
  const file = join(site, "site.yaml");
  const text = await readFile(file, "utf8");
  if (!text.includes("greeter.ts")) await writeFile(file, `${text}\n${entry}`);
}

/** A plugin of each kind that `site codegen` writes, and a theme. */
async function addGenerated(site: string): Promise<void> {
  const booted = await bootSite({ root: site });
  try {
    await runCodegen(booted, []);
    for (const [name, options] of Object.entries(GENERATED)) {
      await runCodegen(booted, ["plugin", name], options);
    }
    await runCodegen(booted, ["theme", "harbour"]);
  } finally {
    await booted.close();
  }
}

/** The code that a reader of "A plugin in ten minutes" and "Replace the search engine" copies. */
async function addDocumented(site: string): Promise<void> {
  for (const [page, names] of [
    ["content/06.extend/01.plugin/docs.md", ["words.ts", "words.test.ts"]],
    ["content/06.extend/05.search-engine/docs.md", ["contains.ts"]],
  ] as const) {
    for (const name of names) {
      await writeFile(join(site, "plugins", name), codeOfFile(page, `plugins/${name}`));
    }
  }
}

/** The address that `serve` prints, once it is ready. */
async function addressOf(child: ChildProcess): Promise<string> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  }
  while (!/ready after/.test(text)) {
    if (child.exitCode !== null) throw new Error(`it ended: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const url = /http:\/\/\S+?:\d+/.exec(text)?.[0];
  if (url === undefined) throw new Error(`no address in ${text}`);
  return url.replace("localhost", "127.0.0.1");
}
