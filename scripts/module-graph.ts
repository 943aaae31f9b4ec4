// The module graph of this repository from dependency-cruiser, checked against the import rules.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type IConfiguration, type ICruiseResult } from "dependency-cruiser";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { globSync } from "tinyglobby";

const repository = fileURLToPath(new URL("..", import.meta.url));
const folders = ["kernel", "lib", "plugins", "themes", "test", "bench", "scripts"];

/** Every TypeScript file that the rules cover, relative to the root. */
export function sourceFiles(root = repository): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  ).sort();
}

/** The graph with the violations of the rules in `test/architecture/dependency-rules.cjs`. */
export async function cruiseSources(root = repository): Promise<ICruiseResult> {
  const rules: IConfiguration = createRequire(import.meta.url)(
    "../test/architecture/dependency-rules.cjs",
  );
  const { output } = await cruise(
    sourceFiles(root),
    { ...rules.options, baseDir: root, validate: true, ruleSet: { forbidden: rules.forbidden } },
    undefined,
    { tsConfig: extractTsConfig(join(repository, "tsconfig.json")) },
  );
  if (typeof output === "string") throw new Error(`dependency-cruiser returned text: ${output}`);
  return output;
}
