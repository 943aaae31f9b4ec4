import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { codeWithNames, parseHeader, type Header } from "../support/packages/plugin-header.js";
import { pluginNames, repository, textOf } from "../support/repository.js";

interface Declared {
  requires?: readonly string[];
  fires?: object;
  hooks?: object;
}

for (const plugin of pluginNames().filter(hasIndex)) {
  describe(`the header of plugins/${plugin}/index.ts`, () => {
    let header: Header;
    let declared: Declared;
    let code: string;
    before(async () => {
      header = parseHeader(textOf(`plugins/${plugin}/index.ts`));
      declared = await declarationOf(plugin);
      code = codeWithNames(plugin);
    });

    it("is one sentence, then what it provides, uses, opens, adds, fires and handles", () => {
      assert.deepEqual(header.problems, []);
    });

    it("names what it provides", () => {
      const services = named(code, /\bsite\.provide(?:<[^>]*>)?\(\s*"([^"]+)"/g);
      assertNames(header.Provides, { must: services });
    });

    it("names the engine slots and extension lists it opens, and those it adds to", () => {
      const opened = named(code, /\b(?:engines|extensions)\.open(?:<[^>]*>)?\(\s*"([^"]+)"/g);
      const added = named(
        code,
        /\b(?:engines\.activate|extensions\.add)(?:<[^>]*>)?\(\s*"([^"]+)"/g,
      );
      assertNames(header.Opens, { must: opened });
      assertNames(header.Adds, { must: added });
    });

    it("names the plugins it uses", () => {
      // `http.use("routes", …)` mounts middleware: only names of plugins count.
      const used = named(code, /(?<!\bhttp)\.(?:use|find)(?:<[^>]*>)?\(\s*"([^"]+)"/g).filter(
        (name) => pluginNames().includes(name),
      );
      const required = declared.requires ?? [];
      assertNames(header.Uses, { must: [...used, ...required].filter((name) => name !== plugin) });
    });

    it("names the hooks it fires", () => {
      const fired = named(code, /\.(?:run|transform|notify)\(\s*"(on[A-Z]\w*)"/g);
      assertNames(header.Fires, { must: [...fired, ...Object.keys(declared.fires ?? {})] });
    });

    it("names the hooks it handles", () => {
      const handled = named(code, /\bhooks\.on\(\s*"(on[A-Z]\w*)"/g);
      assertNames(header.Handles, { must: [...handled, ...Object.keys(declared.hooks ?? {})] });
    });
  });
}

function hasIndex(plugin: string): boolean {
  return existsSync(join(repository, "plugins", plugin, "index.ts"));
}

async function declarationOf(plugin: string): Promise<Declared> {
  const url = pathToFileURL(join(repository, "plugins", plugin, "index.ts")).href;
  const module: { default: Declared | ((config: object) => Declared) } = await import(url);
  return typeof module.default === "function" ? module.default({}) : module.default;
}

function named(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map((found) => found[1] ?? "");
}

// Header and code must agree: all of `must`, and nothing beyond `must` and `may`.
function assertNames(header: string[], code: { must: string[]; may?: string[] }): void {
  const expected = new Set(code.must);
  const allowed = new Set([...code.must, ...(code.may ?? [])]);
  const missing = [...expected].filter((name) => !header.includes(name));
  const untrue = header.filter((name) => !allowed.has(name));
  assert.deepEqual({ missing, untrue }, { missing: [], untrue: [] });
}
