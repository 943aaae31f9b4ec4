// Writes the declarations of a release: those of every file, and `site.d.ts`, the types of the door
// `sitewright`, including the settings, hooks and services of the first-party plugins.
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
