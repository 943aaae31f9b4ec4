// Bundles our own sources: one file for each entry, and chunks for what several of them share. A start
// reads some tens of files instead of hundreds. Packages stay outside: npm installs, updates and
// audits them.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";

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
    packages: "external",
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
    tsconfigRaw: {},
    plugins: [firstPartyInOneFile, builtinsWithoutFacade],
  });
  assertInstalled(metafile, packageNames(root));
}

/** The source files that others import: package exports, the command line, and what is loaded by path. */
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

/** True for TypeScript that is compiled; files of a scaffold are copied as they are. */
export function isCode(file) {
  return /\.tsx?$/.test(file) && !file.includes("/scaffold/");
}

function packageNames(root) {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
}

/** Throws when the bundle imports a package that an installation does not have. */
function assertInstalled({ outputs }, installed) {
  const outside = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ path, external }) => external === true && !isBuiltin(path) && !path.startsWith("#"))
    .map(({ path }) => packageOf(path));
  const missing = [...new Set(outside)].filter((name) => !installed.has(name));
  if (missing.length === 0) return;
  throw new Error(`dist/ would import ${missing.join(", ")}: list them in dependencies`);
}

function packageOf(path) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
}

// Every startup reads the settings of all first-party plugins: one file holds them together.
const firstPartyInOneFile = {
  name: "first-party-in-one-file",
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

// Importing a module of Node reads every export, which loads what Node itself loads when first needed:
// `node:http` brings undici, 50 ms of each startup. It runs before everything else in an entry point of
// the package, so it reports a version of Node without this function.
const builtinsWithoutFacade = {
  name: "builtins-without-facade",
  setup(build) {
    const root = build.initialOptions.absWorkingDir;
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const needed = engines.node.replace(/^>=/, "");
    const tooOld = [
      `Sitewright needs Node.js ${needed} or newer, this is `,
      ": install a newer version from https://nodejs.org",
    ].map((text) => JSON.stringify(text));
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "builtin" }));
    build.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `if (process.getBuiltinModule === undefined) throw new Error(${tooOld.join(" + process.versions.node + ")});
module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};
