// Compiles plugins/panel/client, the panel's browser code, into a few files named by their digests.
import { join } from "node:path";
import { bundledFolders } from "./notices.mjs";

const compiled = new Map();

/**
 * The compiled files, with absolute paths below `dist/plugins/panel/client`; nothing is written. Compiled
 * once per process. `main` is the shell; every screen is a file of its own, loaded when it is opened.
 */
export async function compilePanelClient(root) {
  return (await compiledOnce(root)).outputFiles;
}

/** The folders of the packages whose code is in these files, relative to `root`. */
export async function panelPackages(root) {
  return bundledFolders((await compiledOnce(root)).metafile);
}

function compiledOnce(root) {
  if (!compiled.has(root)) compiled.set(root, compile(root));
  return compiled.get(root);
}

async function compile(root) {
  const { build, stop } = await import("esbuild");
  const result = await build({
    absWorkingDir: root,
    entryPoints: ["plugins/panel/client/main.tsx"],
    outdir: join(root, "dist/plugins/panel/client"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    // Their texts are in dist/bundled-packages.txt.
    legalComments: "none",
    logLevel: "warning",
    tsconfigRaw: {},
    plugins: [ownLibraries(root), withoutHtmlCompletion, withoutOtherYaml],
  });
  // Ends the compiler's process; the next build starts another one.
  await stop();
  return result;
}

// `#lib/yaml` and the like are sources of the repository.
const ownLibraries = (root) => ({
  name: "own-libraries",
  setup(build) {
    build.onResolve({ filter: /^#lib\// }, ({ path }) => {
      const [, room = "", file = "index"] = path.split("/");
      return { path: join(root, "lib", room, `${file}.ts`) };
    });
  },
});

// The package reads pages by the core schema of YAML 1.2. It names the tags of other schemas, which then stay
// unresolved: 2 KiB of the editor's 140.
const withoutOtherYaml = {
  name: "without-other-yaml",
  setup(build) {
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
    build.onLoad({ filter: other }, ({ path }) => {
      const [, file = ""] = other.exec(path) ?? [];
      const contents = names[file].map((name) => `export const ${name} = undefined;`);
      return { contents: contents.join("\n") };
    });
  },
};

// The Markdown package names the completion of HTML tags, which the editor does not use: 9 KiB of its 148.
const withoutHtmlCompletion = {
  name: "without-html-completion",
  setup(build) {
    build.onResolve(
      { filter: /^@codemirror\/(?:autocomplete|lang-html)$/ },
      ({ path, importer }) =>
        importer.includes("lang-markdown") ? { path, namespace: "unused" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "unused" }, () => ({
      contents:
        "export class CompletionContext {}\nexport const html = () => null;\nexport const htmlCompletionSource = null;\n",
    }));
  },
};

/** True for the sources of the browser code, which are compiled and not copied. */
export function isPanelClient(file) {
  return file.startsWith("plugins/panel/client/");
}
