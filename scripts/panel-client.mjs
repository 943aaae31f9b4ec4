// Compiles plugins/panel/client, the panel's browser code, into a few files named by their digests.
import { basename, join, relative } from "node:path";
import { bundledFolders } from "./notices.mjs";

/**
 * The files that several screens load. Without them each module that two screens share would be a file of its own,
 * and a file costs about a kilobyte of headers and a turn of six at a time. The first group that has a module, or
 * something that imports it, wins.
 */
const GROUPS = [
  { name: "shell", tags: ["$initial"] },
  { name: "yaml", test: /\/node_modules\/yaml\/|\/lib\/yaml\// },
  {
    name: "parts",
    test: (id) =>
      /\/client\/(?:parts|api|app)\/|\/node_modules\/lucide\//.test(id) &&
      !/\/parts\/fields\//.test(id),
    minShareCount: 2,
  },
  { name: "fields", test: /\/client\/parts\/fields\//, minShareCount: 2 },
  { name: "text", test: /\/client\/screens\/editor\/text\/(?:markdown-field|text-pane)\.tsx$/ },
  { name: "editor", test: /\/client\/screens\/editor\/editor\.tsx$/ },
  { name: "set-key", test: /\/front-matter\/set-key\.ts$/ },
  { name: "later", test: /\/client\/screens\/editor\/later\.ts$/ },
].map((group, nth, { length }) => ({ ...group, priority: length - nth }));

const compiled = new Map();

/**
 * The compiled files, with absolute paths below `dist/plugins/panel/client`; nothing is written. Compiled
 * once per process. `main` and `shell` come first; every screen is a file of its own, loaded when it is opened.
 */
export async function compilePanelClient(root) {
  return (await compiledOnce(root)).files;
}

/** The folders of the packages whose code is in these files, relative to `root`. */
export async function panelPackages(root) {
  return (await compiledOnce(root)).packages;
}

function compiledOnce(root) {
  if (!compiled.has(root)) compiled.set(root, compile(root));
  return compiled.get(root);
}

async function compile(root) {
  const [code, styles] = await Promise.all([compileCode(root), compileStyles(root)]);
  const folder = join(root, "dist/plugins/panel/client");
  const files = [...code.map(({ fileName, code: text }) => ({ name: fileName, text })), styles];
  const modules = code.flatMap((file) => Object.entries(file.modules));
  return {
    files: files.map(({ name, text }) => ({ path: join(folder, name), text })),
    packages: bundledFolders(
      modules.map(([id, { renderedLength }]) => ({
        path: relative(root, id),
        bytes: renderedLength,
      })),
    ),
  };
}

async function compileCode(root) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(root, "plugins/panel/client/main.tsx") },
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2022", jsx: { runtime: "automatic", importSource: "preact" } },
    // What opens a screen may lie in a group.
    preserveEntrySignatures: "allow-extension",
    checks: { ineffectiveDynamicImport: false },
    plugins: [ownLibraries(root), withoutHtmlCompletion, withoutOtherYaml],
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: GROUPS },
    // Their texts are in dist/bundled-packages.txt.
    comments: false,
  });
  await bundle.close();
  return output;
}

/** The style sheet of all screens. */
async function compileStyles(root) {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { main: "plugins/panel/client/styles/all.css" },
    entryNames: "[name]-[hash]",
    outdir: join(root, "dist/plugins/panel/client"),
    bundle: true,
    write: false,
    minify: true,
    target: "es2022",
    charset: "utf8",
    logLevel: "warning",
  });
  // Ends the compiler's process; the next build starts another one.
  await stop();
  const [{ path, text }] = outputFiles;
  return { name: basename(path), text };
}

// `#lib/yaml` and the like are sources of the repository.
const ownLibraries = (root) => ({
  name: "own-libraries",
  resolveId(id) {
    const [, room, file = "index"] = /^#lib\/([^/]+)(?:\/(.+))?$/.exec(id) ?? [];
    return room === undefined ? null : join(root, "lib", room, `${file}.ts`);
  },
});

// The package reads pages by the core schema of YAML 1.2. It names the tags of other schemas, which then stay
// unresolved: 2 KiB of the editor.
const withoutOtherYaml = {
  name: "without-other-yaml",
  load(id) {
    const other =
      /yaml.browser.dist.schema.(?:json|yaml-1\.1).(binary|omap|pairs|schema|set|timestamp)\.js$/;
    const names = {
      binary: ["binary"],
      omap: ["omap"],
      pairs: ["pairs"],
      schema: ["schema"],
      set: ["set"],
      timestamp: ["floatTime", "intTime", "timestamp"],
    };
    const [, file] = other.exec(id) ?? [];
    return names[file]?.map((name) => `export const ${name} = undefined;`).join("\n") ?? null;
  },
};

// The Markdown package names the completion of HTML tags, which the editor does not use: 9 KiB of it.
const withoutHtmlCompletion = {
  name: "without-html-completion",
  resolveId(id, importer = "") {
    const isUnused = /^@codemirror\/(?:autocomplete|lang-html)$/.test(id);
    return isUnused && importer.includes("lang-markdown") ? "\0unused" : null;
  },
  load: (id) =>
    id === "\0unused"
      ? "export class CompletionContext {}\nexport const html = () => null;\nexport const htmlCompletionSource = null;\n"
      : null,
};

/** True for the sources of the browser code, which are compiled and not copied. */
export function isPanelClient(file) {
  return file.startsWith("plugins/panel/client/");
}
