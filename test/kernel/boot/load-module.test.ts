import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ModuleLoader } from "../../../kernel/boot/packages/load-module.js";
import { inFolder } from "../../support/probe-folder.js";

const files = {
  "a.ts": 'import { b } from "./b.ts";\nexport const a: number = b + 1;\n',
  "b.ts": "export const b = 1;\n",
  "view.tsx": "export default () => <p>hi</p>;\n",
  "broken.ts": "export const = 1;\n",
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

  it("loads a module that was missing as soon as it exists", () =>
    run(async (root, loader) => {
      const file = join(root, "user.ts");
      await writeFile(file, 'export { late } from "./late.ts";\n');
      await assert.rejects(loader.load(file));
      await writeFile(join(root, "late.ts"), "export const late = 1;\n");
      await loader.invalidate();
      assert.equal((await loader.load(file))["late"], 1);
    }));

  it("names the file of a syntax error", () =>
    run(async (root, loader) =>
      assert.rejects(loader.load(join(root, "broken.ts")), /broken\.ts/),
    ));

  it("resolves the given names to the running instance", () =>
    run(async (root, loader) => {
      const given = { instance: true };
      loader.provide("#door", async () => ({ given }));
      assert.equal((await loader.load(join(root, "door.ts")))["given"], given);
    }));
});
