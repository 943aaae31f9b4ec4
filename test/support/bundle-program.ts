import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A program of the tests in one file that Node starts in a tenth of the time, without what it does
 * not use: for tests that start it often. Answers the path, in a temporary folder of its own.
 */
export async function bundleProgram(entry: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "site-program-"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    plugins: [withoutTheUnused],
  });
  return outfile;
}

/** Nothing of ours, nor of a package, has to be loaded for what it does while it loads. */
const withoutTheUnused: Plugin = {
  name: "without the unused",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === "seen" || kind === "entry-point") return;
      const isOurs = path.startsWith(".") || path.startsWith("#");
      if (!isOurs) return { path, external: true, sideEffects: false };
      const from = { kind, importer, resolveDir, pluginData: "seen" };
      const target = path === "#kernel" ? join(ROOT, "kernel", "index.ts") : path;
      return { ...(await resolve(target, from)), sideEffects: false };
    });
  },
};
