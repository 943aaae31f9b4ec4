// Writes the declarations of a release: those of every file, and `site.d.ts`, the types of the door
// `sitewright`, including the settings, hooks and services of the first-party plugins.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Writes them below `outdir`. Throws on type errors; without `check` only undeclarable types are
 * errors, at half of the time.
 */
export function buildTypes(root, { outdir, check }) {
  const tsc = join(root, "node_modules", "typescript-native", "bin", "tsc");
  const project = join(root, "scripts", "tsconfig.types.json");
  const options = ["-p", project, "--outDir", outdir, ...(check ? [] : ["--noCheck"])];
  const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: "inherit" });
  if (status !== 0)
    throw new Error("the declarations could not be generated, see the errors above");
  writeFileSync(join(outdir, "site.d.ts"), siteTypes(outdir));
  removeUnreachable(root, outdir);
}

/** Removes declarations that no door of the package leads to: each takes a block of the disk. */
function removeUnreachable(root, outdir) {
  const { exports, imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const inOutdir = (types) => join(outdir, types.replace("./dist/", ""));
  const doors = Object.values(exports).flatMap(({ types }) => (types ? [inOutdir(types)] : []));
  const reached = new Set();
  const open = [...doors];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, name] of text.matchAll(/(?:from |import |import\()"([^"]+)"/g)) {
      if (name in imports) open.push(inOutdir(imports[name].types));
      else if (name.startsWith(".")) {
        open.push(join(dirname(file), name.replace(/\.js$/, ".d.ts")));
      }
    }
  }
  for (const name of readdirSync(outdir, { recursive: true })) {
    const file = join(outdir, name);
    if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
  removeEmptyFolders(outdir);
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

// Declarations that plugins merge into the kernel's interfaces apply where their contract is imported.
function siteTypes(outdir) {
  const contracts = readdirSync(join(outdir, "plugins"), { recursive: true })
    .map((file) => String(file).replaceAll("\\", "/"))
    .filter((file) => /^[^/]+\/contract\.d\.ts$/.test(file))
    .sort()
    .map((file) => `import "./plugins/${file.replace(/\.d\.ts$/, ".js")}";`);
  return `${contracts.join("\n")}\nexport * from "./kernel/index.js";\n`;
}
