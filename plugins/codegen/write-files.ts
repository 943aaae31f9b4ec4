import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, type SiteError } from "#kernel";
import { errorCode } from "#lib/errors";
import { codegenFailure } from "./errors.js";

/** Path below the root to text. */
export type GeneratedFiles = ReadonlyMap<string, string>;

/** Options of writing files. */
interface WriteOptions {
  /** Overwrites existing files. */
  readonly force: boolean;
}

/** Files that are missing or differ on disk. */
export async function outdatedFiles(root: string, files: GeneratedFiles): Promise<string[]> {
  const outdated: string[] = [];
  for (const [path, text] of files) {
    if ((await readText(join(root, path))) !== text) outdated.push(path);
  }
  return outdated;
}

/**
 * Writes generated files over those of an earlier run, which have the same marker. Resolves with the
 * changed ones.
 * @throws ERR_CODEGEN_EXISTS when a file was not generated, unless `force` is set.
 */
export async function writeDerived(
  root: string,
  files: GeneratedFiles,
  { force }: WriteOptions,
): Promise<string[]> {
  const changed: [path: string, text: string][] = [];
  for (const [path, text] of files) {
    const before = await readText(join(root, path));
    const isDerived = before === null || marker(before) === marker(text);
    if (!isDerived && !force) throw alreadyThere([path]);
    if (before !== text) changed.push([path, text]);
  }
  for (const [path, text] of changed)
    await atomicWrite(join(root, path), text, { access: "shared" });
  return changed.map(([path]) => path);
}

/**
 * Writes files for the user to edit.
 * @throws ERR_CODEGEN_EXISTS when one exists, and writes nothing, unless `force` is set.
 */
export async function writeStub(
  root: string,
  files: GeneratedFiles,
  { force }: WriteOptions,
): Promise<string[]> {
  const paths = [...files.keys()];
  const texts = await Promise.all(paths.map((path) => readText(join(root, path))));
  const present = paths.filter((_, at) => texts[at] !== null);
  if (present.length > 0 && !force) throw alreadyThere(present);
  for (const [path, text] of files) await atomicWrite(join(root, path), text, { access: "shared" });
  return paths;
}

function alreadyThere(paths: readonly string[]): SiteError {
  return codegenFailure("ERR_CODEGEN_EXISTS", `${paths.join(", ")}: already exists`, {
    fix: "choose another name, or overwrite it with --force",
  });
}

/** The first line up to its colon: `// Written by …`. */
function marker(text: string): string {
  return /^[^\n:]*/.exec(text)?.[0] ?? "";
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
