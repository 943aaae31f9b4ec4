import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { modulesToScripts } from "../../scripts/module-scripts.mjs";

const run = promisify(execFile);

// Two entries share a module: it becomes a chunk of its own.
const modules = {
  "first.js": `import path, { join as joined } from "node:path";
import * as fs from "node:fs";
import { default as process } from "node:process";
import outside, { inner } from "outside";
import { shared, count } from "./shared.js";
export const builtins = [path.join === joined, typeof fs.readFileSync, process.pid > 0];
export const given = [outside, inner, shared("ä"), count];
export const later = async () => {
  const lazy = await import("./lazy.js");
  const other = await import("outside");
  const name = "node:os";
  const os = await import(name);
  return [lazy.default, other.inner, typeof os.cpus];
};
export const where = import.meta.url;
export const text = "an import(\\"x\\") in a text";
export default class First {}
`,
  "second.js": `import { shared } from "./shared.js";\nexport { shared };\n`,
  "empty.js": `import { shared } from "./shared.js";\nglobalThis.seen = shared("!");\n`,
  "shared.js": `globalThis.runs = (globalThis.runs ?? 0) + 1;
export const count = globalThis.runs;
export function shared(text) { return "shared " + text.replace(/[äö]/u, "ok"); }
`,
  "lazy.js": `export default "lazy";\n`,
  "node_modules/outside/package.json": `{"name":"outside","type":"module","exports":"./index.js"}`,
  "node_modules/outside/index.js": `export const inner = "inner";\nexport default "outside";\n`,
};

describe("the scripts of the bundle", () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "site-scripts-"));
    await writeFile(join(root, "package.json"), `{"type":"module"}`);
    for (const [file, text] of Object.entries(modules)) await write(join(root, file), text);
    await toScripts(["first.js", "second.js", "empty.js"], "out");
  });
  after(() => rm(root, { recursive: true, force: true }));

  it("give what the modules give: names, defaults, builtins, packages, and what is imported later", async () => {
    const found = await answer(`const all = await import("./out/first.js");
      return [Object.keys(all).sort(), all.builtins, all.given, await all.later(), all.text, typeof all.default];`);
    assert.deepEqual(found, [
      ["builtins", "default", "given", "later", "text", "where"],
      [true, "function", true],
      ["outside", "inner", "shared ok", 1],
      ["lazy", "inner", "function"],
      'an import("x") in a text',
      "function",
    ]);
  });

  it("give the names of a CommonJS module that is imported later, as Node does", async () => {
    await write(join(root, "common.cjs"), `exports.named = "named";\n`);
    await write(join(root, "later.js"), `export const later = () => import("./common.cjs");\n`);
    await toScripts(["later.js"], "later");
    const found = await answer(`const all = await (await import("./later/later.js")).later();
      return [all.named, all.default.named];`);
    assert.deepEqual(found, ["named", "named"]);
  });

  it("run once, whichever entry loads them", async () => {
    const found = await answer(`const [a, b] = await Promise.all([
        import("./out/first.js"), import("./out/second.js"), import("./out/empty.js")]);
      return [a.given[2], b.shared("ö"), globalThis.runs, globalThis.seen];`);
    assert.deepEqual(found, ["shared ok", "shared ok", 1, "shared !"]);
  });

  it("are in ASCII and name no folder in a stack", async () => {
    const found = await answer(`const { readFileSync, readdirSync } = await import("node:fs");
      const { shared } = await import("./out/second.js");
      let stack = "";
      try { shared(null) } catch (error) { stack = error.stack.split("\\n")[1] }
      const files = readdirSync("out/scripts", { recursive: true }).filter((name) => name.endsWith(".js"));
      return [files.every((name) => /^[\\0-\\x7f]*$/.test(readFileSync("out/scripts/" + name, "latin1"))), stack];`);
    assert.equal(found[0], true);
    assert.match(String(found[1]), /^ +at shared \(dist\/scripts\/[^/]+\.js:\d+:\d+\)$/);
  });

  it("take what was kept of an earlier process", async () => {
    const keep = `const first = await import("./out/first.js");
      const { keepCompiled } = await import("./out/script-loader.mjs"); keepCompiled();
      return first.given;`;
    const before = await answer(keep);
    const [folder = ""] = await readdir(join(root, "out", "compiled"));
    assert.ok(folder.startsWith(`${process.version}-`));
    assert.ok((await readdir(join(root, "out", "compiled", folder))).includes("first.js"));
    assert.deepEqual(await answer(`return (await import("./out/first.js")).given;`), before);
    assert.deepEqual(await states(), ["taken", "taken"]);
  });

  it("are compiled anew when Node has other flags, and when what was kept is broken", async () => {
    assert.deepEqual(await states(["--no-opt"]), ["compiled", "compiled"]);
    const [folder = ""] = await readdir(join(root, "out", "compiled"));
    await writeFile(join(root, "out", "compiled", folder, "first.js"), "broken");
    assert.deepEqual((await states()).sort(), ["refused", "taken"]);
  });

  it("are kept by a process that runs for a while, where nothing was kept for its flags", async () => {
    const wait = `let later;
      const { setTimeout } = globalThis;
      globalThis.setTimeout = (work, ms) => { later = { work, ms }; return { unref() {} }; };
      await import("./out/first.js");
      Object.assign(globalThis, { setTimeout });
      later.work();
      return [later.ms];`;
    assert.deepEqual(await answer(wait, ["--no-sparkplug"]), [10_000]);
    assert.deepEqual(await states(["--no-sparkplug"]), ["taken", "taken"]);
  });

  it("run where the file system does not let anything be kept or read", async () => {
    await toScripts(["second.js"], "full");
    await write(join(root, "full", "compiled"), "a file, where a folder is wanted");
    const late = `let work;
      const { setTimeout } = globalThis;
      globalThis.setTimeout = (given) => { work = given; return { unref() {} }; };
      const { shared } = await import("./full/second.js");
      Object.assign(globalThis, { setTimeout });
      work();
      return [shared("ö")];`;
    assert.deepEqual(await answer(late), ["shared ok"]);
  });

  it("are refused when a text looks like an import", async () => {
    const text =
      'export const text = `\nimport { a } from "node:fs";\n`;\nexport const b = text.length;';
    await write(join(root, "text.js"), text);
    await assert.rejects(toScripts(["text.js"], "text"), /text\.js: .*import-statement.*1 of 0/);
  });

  /** Whether V8 took what was kept of each script. */
  async function states(flags: readonly string[] = []): Promise<unknown[]> {
    return answer(
      `const vm = await import("node:vm");
      const states = [];
      const { Script } = vm;
      vm.default.Script = class extends Script {
        constructor(...args) {
          super(...args);
          const refused = this.cachedDataRejected;
          states.push(refused === undefined ? "compiled" : refused ? "refused" : "taken");
        }
      };
      (await import("node:module")).syncBuiltinESMExports();
      await import("./out/first.js");
      return states;`,
      flags,
    );
  }

  /** What `body` returns in a process of its own. */
  async function answer(body: string, flags: readonly string[] = []): Promise<unknown[]> {
    const code = `console.log(JSON.stringify(await (async () => { ${body} })()))`;
    await writeFile(join(root, "ask.mjs"), code);
    const { stdout, stderr } = await run(process.execPath, [...flags, "ask.mjs"], {
      cwd: root,
      env: {},
    });
    assert.equal(stderr, "");
    return JSON.parse(stdout) as unknown[];
  }

  async function toScripts(entryPoints: string[], folder: string): Promise<void> {
    const outdir = join(root, folder);
    const { metafile } = await build({
      ...{ absWorkingDir: root, entryPoints, outdir, outbase: root, external: ["outside"] },
      ...{ bundle: true, splitting: true, metafile: true, format: "esm", platform: "node" },
      define: { "import.meta": "__meta" },
    });
    modulesToScripts(metafile.outputs, { root, outdir });
  }
});

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
