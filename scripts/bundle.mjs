// Bundles our own sources: one file for each entry, and chunks for what several of them share; the chunks of a
// start are one file for each step of it. Packages stay outside: npm installs, updates and
// audits them. A few are part of the bundle, see `BUNDLED`.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { bundledFolders } from "./notices.mjs";

/**
 * Packages that are part of dist/, with all that they need. Each would bring several packages or megabytes
 * for a small part that is used: 72 packages and 19 MB together. What parses bytes of strangers stays
 * outside, where a site can update it alone; the package for passkeys is the exception, for its 25 packages.
 * They are development packages of the repository, whose `npm audit` covers them. `yaml` and `zod`, which every start
 * reads, take a third of the time in one file; an installation has them too, for the types that plugins see.
 */
const BUNDLED = JSON.parse(readFileSync(new URL("bundled-packages.json", import.meta.url), "utf8"));

/**
 * Writes the bundle to `outdir`. `entries` are source files, relative to `root`; each keeps its
 * place: `kernel/index.ts` becomes `kernel/index.js`. Returns the folders of the packages in it.
 */
export async function bundle(esbuild, { root, entries, outdir }) {
  const bundled = new Set(BUNDLED);
  const installed = new Set(packageNames(root).filter((name) => !bundled.has(name)));
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
    logLevel: "warning",
    tsconfigRaw: {},
    plugins: [
      zodWithoutLocales(root),
      ownSources(root),
      installedOutside(installed),
      builtinsWithoutFacade,
    ],
  });
  assertMeant(metafile);
  for (const path of Object.keys(metafile.outputs)) escapeCharacters(join(root, path));
  await mergeChunks(esbuild, root, metafile.outputs);
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return bundledFolders(inputs.map(([path, { bytesInOutput: bytes }]) => ({ path, bytes })));
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
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
}

/** @throws when the sources import a package that an installation does not have and that is not meant to be in the bundle. */
function assertMeant({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (file.includes("node_modules/")) continue;
    for (const { path } of imports) {
      const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
      if (name !== undefined && !BUNDLED.includes(name)) {
        throw new Error(`${file} imports ${name}: list it in dependencies`);
      }
    }
  }
}

function packageOf(path) {
  return /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
}

/** Packages that an installation has stay outside, also for the packages in the bundle. */
const installedOutside = (installed) => ({
  name: "installed-outside",
  setup(build) {
    build.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
      if (kind === "entry-point" || isBuiltin(path)) return undefined;
      return installed.has(packageOf(path)) ? { path, external: true } : undefined;
    });
  },
});

// The messages of zod in 50 languages are half of its code. Only a site's own code may use them: `z.locales.de()` takes
// them from the installed package.
const zodWithoutLocales = (root) => ({
  name: "zod-without-locales",
  setup(build) {
    const folder = join(root, "node_modules/zod/v4/locales");
    build.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => {
      const text = readFileSync(join(folder, "index.js"), "utf8");
      const names = Array.from(
        text.matchAll(/^export \{ default as (\w+) \}/gm),
        ([, name]) => name,
      );
      const others = names.filter((name) => name !== "en");
      const contents = [
        'import { createRequire } from "node:module";',
        'export { default as en } from "./en.js";',
        'const load = (name) => createRequire(import.meta.url)("zod/v4/locales")[name]();',
        ...others.map((name) => `export const ${name} = () => load("${name}");`),
      ];
      return { contents: contents.join("\n"), resolveDir: folder, loader: "js" };
    });
  },
});

// Every site reads the settings of all first-party plugins: one file holds them together, a second one what all sites
// set up. A setup that returns before it loads its module, as the settings switch it off, has a file of its own.
const LOADS_ALWAYS =
  /^ {2}async setup\(site\) \{(?:(?!\breturn\b)[^])*?import\("\.\/set-up\.js"\)/m;

/** The modules of the files that hold several, by the name of the file: without ending, relative to `plugins`. */
function heldTogether(plugins) {
  const list = readFileSync(join(plugins, "main.ts"), "utf8");
  const names = Array.from(
    list.matchAll(/import\("\.\/([a-z-]+)\/index\.js"\)/g),
    ([, name]) => name,
  );
  if (names.length === 0) throw new Error(`${plugins}/main.ts: no plugin found in it`);
  const isLoaded = (name) =>
    LOADS_ALWAYS.test(readFileSync(join(plugins, name, "index.ts"), "utf8"));
  return {
    "first-party-plugins": names.map((name) => `${name}/index`),
    "first-party-set-ups": names.filter(isLoaded).map((name) => `${name}/set-up`),
  };
}

// A door (`#lib/values`) exports all of its room: an import of one name would load the whole room, with the
// packages that it needs. In the bundle, each name is imported from the file that has it. (`sideEffects: false` does not
// help: esbuild decides what a chunk holds before it drops what is not used.)
const ownSources = (root) => ({
  name: "own-sources",
  setup(build) {
    const plugins = join(root, "plugins");
    const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const doors = new Map();
    for (const [name, { source }] of Object.entries(imports)) {
      const door = join(root, source);
      doors.set(name, { door, files: exportedFrom(door, doors) });
    }
    const together = heldTogether(plugins);
    const importOf = new Map(
      Object.entries(together).flatMap(([file, modules]) =>
        modules.map((module, at) => [
          join(plugins, `${module}.js`),
          `import("${file}").then((all) => all.module${at})`,
        ]),
      ),
    );
    build.onLoad({ filter: /\/(?:kernel|lib|plugins)\/.*\.tsx?$/ }, ({ path }) => {
      if (path.includes("/node_modules/")) return undefined;
      const contents = readFileSync(path, "utf8")
        .replace(
          /^import \{([^}]*)\} from "(#[^"]+)";/gm,
          (statement, names, door) => directly(names, doors.get(door)?.files) ?? statement,
        )
        .replace(
          /\bimport\("(\.[^"]+)"\)/g,
          (statement, file) => importOf.get(join(dirname(path), file)) ?? statement,
        );
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
    build.onResolve({ filter: /^first-party-/ }, ({ path }) => ({ path, namespace: "together" }));
    build.onLoad({ filter: /./, namespace: "together" }, ({ path }) => ({
      contents: together[path]
        .map((module, at) => `export * as module${at} from "./${module}.js";`)
        .join("\n"),
      resolveDir: plugins,
      loader: "ts",
    }));
  },
});

/** The file of each name that a door passes on, from its room or from one of `doors`; those of its own are left out. */
function exportedFrom(door, doors) {
  const files = new Map();
  const text = readFileSync(door, "utf8");
  for (const [, names, from] of text.matchAll(/^export \{([^}]*)\} from "([.#][^"]+)";/gm)) {
    for (const name of namesIn(names)) {
      const other = doors.get(from);
      const file = other === undefined ? join(dirname(door), from) : other.door;
      files.set(name.shown, other?.files.get(name.own) ?? { own: name.own, file });
    }
  }
  return files;
}

/** Imports of the names from their files; null when the door itself has one of them. */
function directly(list, files) {
  const names = namesIn(list);
  if (files === undefined || !names.every(({ own }) => files.has(own))) return null;
  return names
    .map(({ own, shown }) => {
      const from = files.get(own);
      return `import { ${from.own} as ${shown} } from ${JSON.stringify(from.file)};`;
    })
    .join(" ");
}

/** `a, type B, c as d`: types are left out. */
function namesIn(list) {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "" && !item.startsWith("type "))
    .map((item) => {
      const [own, shown = own] = item.split(/\s+as\s+/);
      return { own, shown };
    });
}

/**
 * Escapes what esbuild leaves in regular expressions and comments: V8 keeps a file in which one character is not Latin
 * with two bytes for each, and reads it more slowly.
 */
function escapeCharacters(file) {
  const text = readFileSync(file, "utf8");
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) {
    throw new Error(`${file}: write \\uXXXX in String.raw, which escapes would change`);
  }
  const escaped = text.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (escaped !== text) writeFileSync(file, escaped);
}

// A chunk has what the same entries share, so a start would read a hundred files of a few hundred bytes: finding and linking
// them costs more than their code. The chunks of each step of a start are one file instead, which the steps after it need
// too. What a worker thread reads that boots no site stays apart from the later steps: it would load all of the step.
const STEPS = {
  "command-line": ["kernel/cli/main.ts", "plugins/main.ts"],
  files: ["kernel/config/read-files.ts", "kernel/config/plugins/plugin-entries.ts"],
  settings: ["kernel/boot/load-site.ts", "together:first-party-plugins"],
  site: ["kernel/cli/running.ts", "together:first-party-set-ups"],
  server: ["kernel/http/site-front.ts"],
};
/** The module that boots a site. */
const BOOT = "kernel/boot/create-site.ts";

/** Merges the chunks of each step in the folder of the bundle; `outputs` are those of its `metafile`. */
async function mergeChunks(esbuild, root, outputs) {
  const paths = Object.keys(outputs);
  const pathsOf = (entries) =>
    paths.filter((path) => entries.includes(outputs[path].entryPoint ?? ""));
  const workers = paths.filter((path) => outputs[path].entryPoint?.endsWith("-worker.ts"));
  const ofWorkers = new Set(
    workers
      .map((path) => [...importedBy([path], outputs)])
      .filter((files) => !files.some((file) => BOOT in outputs[file].inputs))
      .flat(),
  );
  const merged = new Set();
  for (const [step, entries] of Object.entries(STEPS)) {
    const isFirst = merged.size === 0;
    const group = [...importedBy(pathsOf(entries), outputs)].filter(
      (path) => !merged.has(path) && (isFirst || !ofWorkers.has(path)),
    );
    for (const path of group) merged.add(path);
    const { file, names } = await writeMerged(esbuild, root, { step, group, outputs });
    for (const path of paths) {
      const importsAny = outputs[path].imports.some((one) => names.has(one.path));
      if (importsAny && existsSync(join(root, path))) importFrom(file, names, join(root, path));
    }
  }
}

/** The files that `paths` import when they load, in the order in which they run. */
function importedBy(paths, outputs) {
  const found = new Set();
  const seen = new Set(paths);
  const follow = (path) => {
    for (const { path: next, kind, external } of outputs[path].imports) {
      if (kind !== "import-statement" || external || seen.has(next)) continue;
      seen.add(next);
      follow(next);
      found.add(next);
    }
  };
  for (const path of paths) follow(path);
  return found;
}

/** Writes the chunks as one file, and deletes them. Returns it, and the names in it by chunk and name. */
async function writeMerged(esbuild, root, { step, group, outputs }) {
  const taken = new Set();
  const names = new Map();
  for (const path of group) {
    names.set(path, new Map());
    for (const name of outputs[path].exports) {
      let free = name;
      for (let at = 2; taken.has(free); at += 1) free = `${name}_${at}`;
      taken.add(free);
      names.get(path).set(name, free);
    }
  }
  const lines = group.map((path) => {
    const list = Array.from(names.get(path), ([own, shown]) => `${own} as ${shown}`);
    const file = JSON.stringify(join(root, path));
    return `import ${file}; export { ${list.join(", ")} } from ${file};`;
  });
  const members = new Set(group.map((path) => join(root, path)));
  const { metafile } = await esbuild.build({
    // Comments name the chunks relative to it.
    absWorkingDir: join(root, dirname(group[0])),
    stdin: { contents: lines.join("\n"), resolveDir: root },
    outdir: ".",
    entryNames: `${step}-[hash]`,
    bundle: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    plugins: [
      {
        name: "members",
        setup(build) {
          build.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
            const file = resolve(resolveDir, path);
            const isMember = kind === "import-statement" && members.has(file);
            return isMember ? { path: file } : { path, external: true };
          });
        },
      },
    ],
  });
  for (const file of members) rmSync(file);
  const [file] = Object.keys(metafile.outputs);
  return { file: join(root, dirname(group[0]), file), names };
}

/** Lets `path` import from `file` what it imports from the chunks in it. */
function importFrom(file, names, path) {
  const folder = dirname(path);
  const inRoot = new Map(Array.from(names, ([chunk, list]) => [basename(chunk), list]));
  const text = readFileSync(path, "utf8").replace(
    /^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm,
    (statement, list, from) => {
      const renamed = inRoot.get(basename(from));
      if (renamed === undefined) return statement;
      const to = relative(folder, file);
      const address = JSON.stringify(to.startsWith(".") ? to : `./${to}`);
      if (list === undefined) return `import ${address};`;
      const items = namesIn(list).map(({ own, shown }) => `${renamed.get(own)} as ${shown}`);
      return `import { ${items.join(", ")} } from ${address};`;
    },
  );
  writeFileSync(path, text);
}

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
    const checked = `if (process.getBuiltinModule === undefined) throw new Error(${tooOld.join(" + process.versions.node + ")});`;
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
      if (kind === "entry-point" || !isBuiltin(path)) return undefined;
      // Packages also import all names of a module as one object, which reads them all.
      const isOwn = kind === "import-statement" && !importer.includes("node_modules/");
      return { path, namespace: isOwn ? "builtin-names" : "builtin" };
    });
    build.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `${checked}\nmodule.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
    // An import of the form above copies all names of the module for each file that imports one: 20,000 functions in a
    // server. Here each name is read once, and those that no file imports are left out.
    build.onLoad({ filter: /./, namespace: "builtin-names" }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path)).filter(
        (name) => name !== "default",
      );
      const contents = [
        checked,
        `const all = process.getBuiltinModule(${JSON.stringify(path)});`,
        "export default all;",
        ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`),
      ];
      return { contents: contents.join("\n") };
    });
  },
};
