// Generates plugins/search/assets/search.js, the search of static exports, from plugins/search/client/,
// so that exports of installed packages need no compiler. A test fails while it is out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
export const searchScript = join(root, "plugins/search/assets/search.js");

/** The generated script. */
export async function buildSearchScript() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["plugins/search/client/search-page.js"],
    // Browsers have no Buffer, which the shared modules use to measure texts.
    inject: ["plugins/search/client/utf8-length.js"],
    define: { "Buffer.byteLength": "utf8Length" },
    bundle: true,
    write: false,
    minifySyntax: true,
    minifyIdentifiers: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    conditions: ["source"],
    legalComments: "none",
    tsconfigRaw: {},
  });
  const [file] = outputFiles;
  return `/* Generated from plugins/search/client by scripts/browser-search.mjs. */\n/* oxlint-disable */\n${file.text}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(searchScript, await buildSearchScript());
}
