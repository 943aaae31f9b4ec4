// Turns the modules of the bundle into scripts. Node 20 compiles a module anew in every process; for
// a script it takes what an earlier process has compiled (script-loader.mjs, keep-compiled.mjs).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, posix, relative, sep } from "node:path";

const loader = "script-loader.mjs";
// As esbuild prints them, each at the start of a line: `import a, { b as c } from "d";`.
const importStatement =
  /^import (?:([\w$]+)(?:, )?)?(?:\{([^}]*)\}|\* as ([\w$]+))?(?: from )?"([^"]+)";$/gm;
const exportStatement = /^export \{([^}]*)\};$/gm;
const exportOfOne = /^export default ([^\n]+);$/m;

/**
 * Rewrites what esbuild wrote to `outdir` (`outputs` of its metafile): each module becomes a script
 * in `scripts/`, each entry a module that loads its script and exports what that gives.
 */
export function modulesToScripts(outputs, { root, outdir }) {
  const nameOf = (path) => relative(outdir, join(root, path)).replaceAll(sep, "/");
  const modules = Object.entries(outputs)
    .filter(([path]) => path.endsWith(".js"))
    .map(([path, output]) => ({ name: nameOf(path), output }));
  const names = new Set(modules.map(({ name }) => name));
  const imports = {};
  for (const { name, output } of modules) {
    const text = readFileSync(join(outdir, name), "utf8");
    const script = new ModuleText({ name, text, output, names });
    imports[name] = script.imports;
    write(join(outdir, "scripts", name), script.toScript());
    if (output.entryPoint === undefined) rmSync(join(outdir, name));
    else write(join(outdir, name), entryText(name, output.exports));
  }
  write(join(outdir, "scripts.json"), JSON.stringify(imports));
  write(join(outdir, loader), readFileSync(new URL(loader, import.meta.url)));
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function entryText(name, exports) {
  const path = posix.relative(posix.dirname(name), loader);
  const lines = exports.map((key) =>
    key === "default" ? "export default all.default;" : `export const ${key} = all.${key};`,
  );
  return [
    `import { load } from "${path.startsWith(".") ? path : `./${path}`}";`,
    `const all = await load("${name}");`,
    ...lines,
    "",
  ].join("\n");
}

/**
 * One module, as it becomes a function of what the loader gives. What it imports are constants: no
 * module in the bundle gives an exported name another value after it has run.
 */
class ModuleText {
  /** Names of scripts and paths of packages, in the order in which they run. */
  imports = { scripts: [], packages: [] };
  #head = [];
  #module;

  constructor(module) {
    this.#module = module;
  }

  /** Lines stay where they are, so that places in errors and profiles are those of the bundle. */
  toScript() {
    const { text } = this.#module;
    const body = this.#withDynamicImports(this.#withExports(this.#withoutImports(text)));
    return inAscii(`(function (take, load, require, __meta) {${this.#head.join("")}${body}\n})`);
  }

  #withoutImports(text) {
    let found = 0;
    const rest = text.replace(importStatement, (statement, ...parts) => {
      const [main, named, all, path] = parts;
      found += 1;
      const script = this.#inBundle(path);
      const list = script === undefined ? this.imports.packages : this.imports.scripts;
      if (!list.includes(script ?? path)) list.push(script ?? path);
      this.#head.push(...constants({ main, named, all }, script ?? path));
      return statement.replace(/[^\n]/g, "");
    });
    this.#assertAll("import-statement", found);
    return rest;
  }

  #withExports(text) {
    const { exports } = this.#module.output;
    if (exports.length === 0) return text;
    const statement = [...text.matchAll(exportStatement)].at(-1) ?? exportOfOne.exec(text);
    const pairs = statement?.[0].startsWith("export default")
      ? [["default", statement[1]]]
      : pairsOf(statement?.[1] ?? "").map(([local, name]) => [name, local]);
    const given = pairs.map(([name]) => name).sort();
    if (given.join() !== [...exports].sort().join()) throw this.#notUnderstood("exports", given);
    const list = pairs.map(([name, local]) => `${JSON.stringify(name)}: ${local}`);
    if (isCommonJs(pairs)) list.unshift(`...${pairs[0][1]}`);
    const [before, after] = [statement.index, statement.index + statement[0].length];
    return `${text.slice(0, before)}return { ${list.join(", ")} };${text.slice(after)}`;
  }

  // A script has no `import()` of its own: the loader's does it.
  #withDynamicImports(text) {
    const outside = new Set(this.#importsOf("dynamic-import").map(({ path }) => path));
    let found = 0;
    const linked = text.replace(/\bimport\("([^"\n]+)"\)/g, (call, path) => {
      const script = this.#inBundle(path);
      if (script === undefined && !outside.has(path)) return call;
      found += 1;
      return script === undefined ? `__meta.import("${path}")` : `load("${script}")`;
    });
    this.#assertAll("dynamic-import", found);
    return linked.replace(/(?<= )import\((?=[A-Za-z_$])/g, "__meta.import(");
  }

  #inBundle(path) {
    const { name, names } = this.#module;
    const script = posix.join(posix.dirname(name), path);
    return path.startsWith(".") && names.has(script) ? script : undefined;
  }

  #importsOf(kind) {
    return this.#module.output.imports.filter((found) => found.kind === kind);
  }

  #assertAll(kind, found) {
    const expected = this.#importsOf(kind).length;
    if (found !== expected) throw this.#notUnderstood(kind, `${found} of ${expected}`);
  }

  #notUnderstood(what, found) {
    return new Error(
      `${this.#module.name}: of what esbuild says of its ${what}, only this was found: ${found}`,
    );
  }
}

/** A package in CommonJS that is imported later: Node gives what it exports by name too, esbuild does not. */
function isCommonJs(pairs) {
  return pairs.length === 1 && pairs[0][0] === "default" && /^require_\w+\(\)$/.test(pairs[0][1]);
}

/** `a, b as c` as pairs of names. */
function pairsOf(list) {
  return list
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => pair.split(" as "))
    .map(([name, other = name]) => [name, other]);
}

function constants({ main, named = "", all }, path) {
  const taken = `take(${JSON.stringify(path)})`;
  const defaults = isBuiltin(path) ? taken : `${taken}.default`;
  const pairs = pairsOf(named);
  const names = pairs.filter(([name]) => name !== "default").map((pair) => pair.join(": "));
  return [
    ...[main, ...pairs.filter(([name]) => name === "default").map(([, local]) => local)]
      .filter((local) => local !== undefined)
      .map((local) => `const ${local} = ${defaults};`),
    ...(all === undefined ? [] : [`const ${all} = ${taken};`]),
    ...(names.length === 0 ? [] : [`const { ${names.join(", ")} } = ${taken};`]),
  ];
}

// Text in ASCII is read at once. esbuild leaves other characters in comments and regular
// expressions, where an escape means the same.
function inAscii(text) {
  return text.replace(
    /[^\0-\x7F]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
