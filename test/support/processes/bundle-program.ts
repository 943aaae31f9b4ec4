import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const KERNEL_FILES: Readonly<Record<string, string>> = {
  "#kernel": join(ROOT, "kernel", "index.ts"),
};

/**
 * Bundles a test program into one file, which Node starts in a tenth of the time: for tests that start
 * it often. Returns the path, in a temporary folder.
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
    conditions: ["source"],
    target: "node20",
    logLevel: "error",
    plugins: [withoutTheUnused],
  });
  return outfile;
}

/** No module of ours or of a package has side effects while it loads. */
const withoutTheUnused: Plugin = {
  name: "without the unused",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === "seen" || kind === "entry-point") return;
      const isOurs = path.startsWith(".") || path.startsWith("#");
      if (!isOurs) return { path, external: true, sideEffects: false };
      const from = { kind, importer, resolveDir, pluginData: "seen" };
      const target = KERNEL_FILES[path] ?? path;
      return { ...(await resolve(target, from)), sideEffects: false };
    });
  },
};
