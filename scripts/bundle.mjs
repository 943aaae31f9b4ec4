// Bundles the sources: one file for each entry, and chunks for what several of them share. A start
// reads some forty files instead of 1,200, and finds them compiled (module-scripts.mjs). What is
// native, large and seldom used, or shared with a site's own modules (preact) stays a package of its
// own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { modulesToScripts } from "./module-scripts.mjs";

// Packages of many small files that every start or the first page loads, with what they need. They
// are development dependencies and part of the published bundle (THIRD-PARTY.txt).
const bundled = new Set(JSON.parse(readFileSync(new URL("bundled.json", import.meta.url), "utf8")));

/**
 * Writes the bundle to `outdir`. `entries` are source files, relative to `root`; each keeps its
 * place: `kernel/index.ts` becomes `kernel/index.js`.
 */
export async function bundle(esbuild, { root, entries, outdir }) {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    outbase: root,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "import.meta": "__meta" },
    legalComments: "eof",
    logLevel: "warning",
    tsconfigRaw: {},
    plugins: [bodyParserLeftOut, houseInOne, packagesOutside(packageNames(root))],
  });
  assertInstalled(metafile, packageNames(root));
  modulesToScripts(metafile.outputs, { root, outdir });
  const licenses = licensesOf(root, Object.keys(metafile.inputs));
  writeFileSync(join(outdir, "THIRD-PARTY.txt"), licenses);
}

/** Source files that others import: the package's entry points, its commands, and files loaded by path. */
export function entriesOf(root, files) {
  const { exports, imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const doors = [...Object.values(exports), ...Object.values(imports)].flatMap(({ source }) =>
    source === undefined ? [] : [source.slice(2)],
  );
  const byPath = files.filter(
    (file) => file.endsWith("-worker.ts") || (file.startsWith("themes/") && isCode(file)),
  );
  return [...new Set([...doors, "kernel/cli/main.ts", ...byPath])];
}

/** True for TypeScript to compile; scaffold files are copied unchanged. */
export function isCode(file) {
  return /\.tsx?$/.test(file) && !file.includes("/scaffold/");
}

function packageNames(root) {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
}

/** Externals must be installed: a dependency or a peer. */
function assertInstalled({ outputs }, installed) {
  const outside = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external === true && !isBuiltin(path))
    .map(({ path }) => packageOf(path));
  const missing = [...new Set(outside)].filter((name) => !installed.has(name));
  if (missing.length === 0) return;
  throw new Error(
    `dist/ would import ${missing.join(", ")}: list them in dependencies, or in scripts/bundled.json`,
  );
}

function packageOf(path) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
}

// Bodies are read by kernel/http/read-body.ts; Express's own unused parser contains half a megabyte of
// character sets that every startup would compile.
const bodyParserLeftOut = {
  name: "body-parser-left-out",
  setup(build) {
    build.onResolve({ filter: /^body-parser$/ }, ({ path }) => ({ path, namespace: "left-out" }));
    build.onLoad({ filter: /./, namespace: "left-out" }, () => ({
      contents:
        'const leftOut = () => { throw new Error("bodies are declared with the route (http.route), not parsed by Express"); }; module.exports = { json: leftOut, raw: leftOut, text: leftOut, urlencoded: leftOut };',
    }));
  },
};

// Every startup reads the settings of all first-party plugins: bundle them in one file.
const houseInOne = {
  name: "house-in-one",
  setup(build) {
    const filter = /\/plugins\/main\.ts$/;
    build.onLoad({ filter }, ({ path }) => {
      const modules = [];
      const text = readFileSync(path, "utf8").replace(
        /\(\) => import\("(\.\/[a-z-]+\/index\.js)"\)/g,
        (_, module) => `() => Promise.resolve(plugin${modules.push(module) - 1})`,
      );
      if (modules.length === 0) throw new Error(`${path}: no plugin found in it`);
      const imports = modules.map((module, at) => `import * as plugin${at} from "${module}";`);
      return { contents: `${text}\n${imports.join("\n")}\n`, loader: "ts" };
    });
  },
};

// Our own packages stay outside unless they are listed; what only a bundled one needs goes with it.
function packagesOutside(own) {
  return {
    name: "packages-outside",
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, ({ path, importer }) => {
        if (importer === "") return null;
        const name = packageOf(path);
        const isOurs = !importer.includes("/node_modules/") || own.has(name);
        return isOurs && !bundled.has(name) ? { path, external: true } : null;
      });
    },
  };
}

function licensesOf(root, inputs) {
  const folders = new Set(
    inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = [...folders].sort().map((folder) => licenseOf(join(root, folder)));
  return `This folder contains parts of the following packages.\n\n${texts.join("\n\n")}\n`;
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n${"=".repeat(60)}\n${text}`;
}
