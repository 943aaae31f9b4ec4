import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { until } from "../../support/until.js";
import { makeRoot } from "../../support/sites/config-root.js";
import {
  killProcess,
  startProcess,
  startServer,
  type SiteProcess,
} from "../../support/processes/site-process.js";

const route = (name: string, value: string): string =>
  `name: "${name}", version: "1.0.0", setup({ http }) {
    http.use("pages", (req, res, next) => req.ctx.path === "/${name}" ? void res.end(String(${value})) : next());
  }`;
const esm = (name: string, imports: string): string =>
  `${imports}\nimport { definePlugin } from "sitewright";\nexport default definePlugin({ ${route(name, "value")} });\n`;

/** Plugins of every kind, and the modules that they import. */
const PLUGINS: Record<string, string> = {
  "plugins/a.mjs": esm("a", 'import { value } from "./lib/a.mjs";'),
  "plugins/b.ts": esm("b", 'import { value } from "./lib/b.js";'),
  "plugins/c.js": `const { value } = require("./lib/c.cjs");\nmodule.exports = { ${route("c", "value")} };\n`,
  "plugins/d.cjs": `const { value } = require("./lib/d.json");\nmodule.exports = { ${route("d", "value")} };\n`,
  "plugins/e.tsx": esm(
    "e",
    'import json from "./lib/e.json" with { type: "json" };\nconst { value } = json;',
  ),
  "plugins/f/package.json": '{ "type": "module" }',
  "plugins/f/index.js": esm("f", 'import { value } from "./value.js";'),
};
const NAMES = ["a", "b", "c", "d", "e", "f"];
const values = (n: number): Record<string, string> => ({
  "plugins/lib/a.mjs": `export const value = ${n};\n`,
  "plugins/lib/b.ts": `export const value: number = ${n};\n`,
  "plugins/lib/c.cjs": `exports.value = ${n};\n`,
  "plugins/lib/d.json": `{ "value": ${n} }\n`,
  "plugins/lib/e.json": `{ "value": ${n} }\n`,
  "plugins/f/value.js": `export const value = await Promise.resolve(${n});\n`,
});
const SOURCES = ["a.mjs", "b.ts", "c.js", "d.cjs", "e.tsx", "f/index.js"];
const CONFIG = `title: T\nplugins:\n${SOURCES.map((file, at) => `  ${NAMES[at]}: { src: ./plugins/${file} }\n`).join("")}`;

describe("new code of plugins", function () {
  this.timeout(240_000);
  let root = "";
  let running: SiteProcess | null = null;
  const put = async (files: Record<string, string>): Promise<void> => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
  };
  const served = async (url: string): Promise<string> => {
    const answers = NAMES.map(async (name) => (await fetch(`${url}/${name}`)).text());
    return (await Promise.all(answers)).join(" ");
  };
  beforeEach(async () => {
    root = await makeRoot({
      "site.yaml": CONFIG,
      "content/default.md": "# Hello\n",
      ...PLUGINS,
      ...values(1),
    });
  });
  afterEach(async () => {
    if (running !== null) await killProcess(running);
    running = null;
    await rm(root, { recursive: true, force: true });
  });
  const reload = async (): Promise<void> => {
    const command = startProcess(["reload", "--root", root]);
    assert.equal(await command.ended(), 0, command.text());
    assert.match(command.text(), /reloaded/);
  };

  it("runs after site reload, in every kind of module and of import", async () => {
    const server = await startServer(root);
    running = server;
    assert.equal(await served(server.url), "1 1 1 1 1 1");
    await put(values(2));
    await reload();
    assert.equal(await served(server.url), "2 2 2 2 2 2");
    const other = Object.entries(PLUGINS).map(([file, text]) => [
      file,
      text.replace("String(value)", 'String(value + "!")'),
    ]);
    await put(Object.fromEntries(other));
    await reload();
    assert.equal(await served(server.url), "2! 2! 2! 2! 2! 2!");
  });

  const kit = (version: string, value: string): Record<string, string> => ({
    "node_modules/kit/package.json": JSON.stringify({ name: "kit", version, main: "index.js" }),
    "node_modules/kit/index.js": `module.exports = { ${route("kit", JSON.stringify(value))} };\n`,
    "site.yaml": "title: T\nplugins:\n  kit: { src: npm:kit@^1.0.0 }\n",
  });

  it("of a package needs a restart, which site reload says", async () => {
    await put(kit("1.0.0", "old"));
    const server = await startServer(root);
    running = server;
    await put(kit("1.0.1", "new"));
    const command = startProcess(["reload", "--root", root]);
    assert.equal(await command.ended(), 1, command.text());
    const said =
      /version 1\.0\.1 of package "kit" is installed, this process runs 1\.0\.0\n.*fix: restart/;
    assert.match(command.text(), said);
    assert.equal(await (await fetch(`${server.url}/kit`)).text(), "old");
  });

  it("of a package runs after site reload with workers: they are new processes", async () => {
    await put(kit("1.0.0", "old"));
    const server = await startServer(root, { more: ["--workers", "2"] });
    running = server;
    await put(kit("1.0.1", "new"));
    await reload();
    assert.equal(await (await fetch(`${server.url}/kit`)).text(), "new");
  });

  it("runs under site dev as soon as a file is saved", async () => {
    const dev = startProcess(["dev", "--root", root, "--port", "0"]);
    running = dev;
    const [, port] = await dev.printed(/(?:localhost|127\.0\.0\.1):(\d+)/);
    await dev.printed(/ready after/);
    const url = `http://127.0.0.1:${port}`;
    assert.equal(await served(url), "1 1 1 1 1 1");
    await put(values(2));
    await until(async () => (await served(url)) === "2 2 2 2 2 2");
  });

  it("fails at the author's line and column, with the author's frames first, once, below the line", async () => {
    const source = (head: string): string =>
      `${head}\nexport default {\n  name: "a", version: "1.0.0",\n  setup({ http }) {\n    http.use("routes", (req, res, next) => {\n      if (req.ctx.path === "/") { const cart = {}; cart.items.push(1); }\n      next();\n    });\n  },\n};\n`;
    await put({
      "site.yaml": "title: T\nplugins:\n  a: { src: ./plugins/a.mjs }\n",
      "plugins/a.mjs": source(
        'import { readFile } from "node:fs"; import { join } from "node:path"; void readFile; void join;',
      ),
    });
    const server = await startServer(root);
    running = server;
    assert.equal((await fetch(`${server.url}/`)).status, 500);
    const [failed = ""] = await server.printed(/^.*request\.failed[^]*?frames? of packages.*$/m);
    const lines = failed.split("\n");
    assert.match(lines[0] ?? "", /request\.failed.*Cannot read properties/);
    assert.doesNotMatch(lines[0] ?? "", /\bat /);
    assert.match(lines[1] ?? "", /TypeError: Cannot read properties of undefined/);
    const line = '      if (req.ctx.path === "/") { const cart = {}; cart.items.push(1); }';
    const column = line.indexOf("push") + 1;
    assert.ok(lines[2]?.includes(`${join(root, "plugins/a.mjs")}:6:${column}`), failed);
    assert.equal(lines.length, 4, failed);
    assert.equal(server.text().split("Cannot read properties").length, 3, server.text());
  });

  it("fails at the author's column in the first line of a module", async () => {
    const text = 'import "node:fs"; const cart = {}; cart.items.push(1); export default {};';
    await put({
      "site.yaml": "title: T\nplugins:\n  a: { src: ./plugins/a.mjs }\n",
      "plugins/a.mjs": text,
    });
    const check = startProcess(["config:validate", "--root", root]);
    assert.equal(await check.ended(), 1);
    const place = `a.mjs:1:${text.indexOf("push") + 1}`;
    assert.ok(check.text().includes(place), check.text());
  });
});
