import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { placeOf } from "../../../lib/modules/author-places.js";
import { ModuleLoader } from "../../../lib/modules/load-module.js";
import { inFolder } from "../../support/probe-folder.js";

const files = {
  "a.ts": 'import { b } from "./b.ts";\nexport const a: number = b + 1;\n',
  "b.ts": "export const b = 1;\n",
  "view.tsx": "export default () => <p>hi</p>;\n",
  "door.ts": 'export { given } from "#door";\n',
};

describe("ModuleLoader", () => {
  const run = (work: (root: string, loader: ModuleLoader) => Promise<void>) =>
    inFolder(files, (root) => {
      const loader = new ModuleLoader(root, join(root, ".cache"));
      loader.provide("preact/jsx-runtime", () => import("preact/jsx-runtime"));
      return work(root, loader);
    });

  it("loads TypeScript with its imports, and TSX", () =>
    run(async (root, loader) => {
      assert.equal((await loader.load(join(root, "a.ts")))["a"], 2);
      assert.equal(typeof (await loader.load(join(root, "view.tsx")))["default"], "function");
    }));

  it("caches a module until it is invalidated, then reloads its imports too", () =>
    run(async (root, loader) => {
      await loader.load(join(root, "a.ts"));
      await writeFile(join(root, "b.ts"), "export const b = 10;\n");
      assert.equal((await loader.load(join(root, "a.ts")))["a"], 2);
      await loader.invalidate();
      assert.equal((await loader.load(join(root, "a.ts")))["a"], 11);
    }));

  it("reloads changed files that another loader of this process has loaded", () =>
    run(async (root, loader) => {
      await loader.load(join(root, "a.ts"));
      await writeFile(join(root, "b.ts"), "export const b = 10;\n");
      const next = new ModuleLoader(root, join(root, ".cache"));
      next.provide("preact/jsx-runtime", () => import("preact/jsx-runtime"));
      assert.equal((await next.load(join(root, "a.ts")))["a"], 11);
      const view = async () => (await next.load(join(root, "view.tsx")))["default"];
      const first = await view();
      next.provide("#door", async () => ({ given: 1 }));
      assert.equal(await view(), first, "one instance for a loader");
    }));

  it("gives the exports of a CommonJS package the same shape after a change", () =>
    run(async (root, loader) => {
      const odd = join(root, "node_modules", "odd");
      await mkdir(odd, { recursive: true });
      await writeFile(join(odd, "package.json"), '{ "name": "odd", "main": "index.js" }');
      const text = 'module.exports = () => 1;\nmodule.exports.default = "text";\n';
      await writeFile(join(odd, "index.js"), text);
      const names = ["a.mts", "b.mjs", "c.ts", "d.cjs"];
      for (const name of names) {
        const load = name.endsWith(".cjs")
          ? 'const odd = require("odd");\nexports.one = odd();\n'
          : 'import odd from "odd";\nexport const one = odd();\n';
        await writeFile(join(root, name), load);
      }
      for (const turn of [1, 2, 3]) {
        for (const name of names) {
          assert.equal((await loader.load(join(root, name)))["one"], 1, `${name}, ${turn}`);
        }
        await loader.invalidate();
      }
    }));

  it("loads every kind of module again, with its imports, after a change", () =>
    run(async (root, loader) => {
      const put = async (name: string, text: string) => writeFile(join(root, name), text);
      await put("package.json", '{ "type": "module" }');
      await put("value.json", '{ "value": 1 }');
      await put("deep.cjs", "exports.deep = 1;\n");
      await put("late.js", "export const late = await Promise.resolve(1);\n");
      await put(
        "esm.mjs",
        'export { default as value } from "./value.json" with { type: "json" };\n',
      );
      await put("typed.ts", "export const typed: number = 1;\n");
      const imports = ["./esm.mjs", "./deep.cjs", "./late.js", "./typed.js"];
      const entry = imports.map((name) => `export * from ${JSON.stringify(name)};\n`).join("");
      const required =
        'import { createRequire } from "node:module";\nexport const again = createRequire(import.meta.url)("./deep.cjs").deep;\n';
      for (const name of ["entry.mjs", "entry.js", "entry.ts"]) await put(name, entry + required);
      await put("entry.cjs", 'module.exports = { ...require("./deep.cjs") };\n');
      const loaded = async () => {
        const found: Record<string, unknown>[] = [];
        for (const name of ["entry.mjs", "entry.js", "entry.ts"]) {
          const { value, deep, late, typed, again } = await loader.load(join(root, name));
          found.push({ value: Object(value).value, deep, late, typed, again });
        }
        return [...found, (await loader.load(join(root, "entry.cjs")))["deep"]];
      };
      const all = (n: number) => ({ value: n, deep: n, late: n, typed: n, again: n });
      assert.deepEqual(await loaded(), [all(1), all(1), all(1), 1]);
      await put("value.json", '{ "value": 2 }');
      await put("deep.cjs", "exports.deep = 2;\n");
      await put("late.js", "export const late = await Promise.resolve(2);\n");
      await put("typed.ts", "export const typed: number = 2;\n");
      await loader.invalidate();
      assert.deepEqual(await loaded(), [all(2), all(2), all(2), 2]);
    }));

  it("names the JSON files that the modules of the site import", () =>
    run(async (root, loader) => {
      await writeFile(join(root, "data.json"), '{ "value": 1 }');
      const text = 'import data from "./data.json";\nexport const value = data.value;\n';
      await writeFile(join(root, "reader.mjs"), text);
      await loader.load(join(root, "reader.mjs"));
      const names = (await loader.loaded()).map((file) => basename(file));
      assert.deepEqual(names.toSorted(), ["data.json", "reader.mjs"]);
    }));

  it("rejects a syntax error in one line, with the column as editors count it", () =>
    run(async (root, loader) => {
      for (const name of ["a.mjs", "a.js", "a.cjs", "a.ts", "a.tsx"]) {
        const file = join(root, name);
        await writeFile(file, "const fine = 1;\n  const x = ;\n");
        await assert.rejects(loader.load(file), (error) => {
          assert.ok(error instanceof SyntaxError);
          assert.equal(error.message, "Unexpected token");
          assert.deepEqual(placeOf(error), { file, line: 2, column: 13 });
          return true;
        });
      }
    }));

  it("loads a module that was missing as soon as it exists", () =>
    run(async (root, loader) => {
      const file = join(root, "user.ts");
      await writeFile(file, 'export { late } from "./late.ts";\n');
      await assert.rejects(loader.load(file));
      await writeFile(join(root, "late.ts"), "export const late = 1;\n");
      await loader.invalidate();
      assert.equal((await loader.load(file))["late"], 1);
    }));

  it("resolves the given names to the running instance", () =>
    run(async (root, loader) => {
      const given = { instance: true };
      loader.provide("#door", async () => ({ given }));
      assert.equal((await loader.load(join(root, "door.ts")))["given"], given);
    }));
});
