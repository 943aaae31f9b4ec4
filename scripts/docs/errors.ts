import { pathToFileURL } from "node:url";
import { globSync } from "tinyglobby";
import { kernelErrors } from "../../kernel/errors.js";

/** An area with the meaning of its codes: the kernel first, then the plugins by name. */
export type ErrorTable = readonly [area: string, errors: Readonly<Record<string, string>>];

/** The codes of the kernel and of every plugin. */
export async function errorTables(root: string): Promise<readonly ErrorTable[]> {
  const files = globSync("plugins/*/errors.ts", { cwd: root }).sort();
  const areas = await Promise.all(files.map((file) => areaOf(root, file)));
  return [["kernel", kernelErrors], ...areas];
}

async function areaOf(root: string, file: string): Promise<ErrorTable> {
  const module: Record<string, unknown> = await import(pathToFileURL(`${root}/${file}`).href);
  const [plugin = file] = file.split("/").slice(1);
  return [plugin, Object.assign({}, ...Object.values(module).filter(isErrorTable))];
}

function isErrorTable(value: unknown): value is Record<string, string> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).every((key) => key.startsWith("ERR_"))
  );
}
