import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { codegenFailure } from "./errors.js";

/** Path below the root to text. */
export type GeneratedFiles = ReadonlyMap<string, string>;

/** Files whose text on disk is another, or that are not there. */
export async function outdatedFiles(root: string, files: GeneratedFiles): Promise<string[]> {
  const outdated: string[] = [];
  for (const [path, text] of files) {
    if ((await readText(join(root, path))) !== text) outdated.push(path);
  }
  return outdated;
}

/** Writes files that may be written over: derived ones. Answers those that have changed. */
export async function writeDerived(root: string, files: GeneratedFiles): Promise<string[]> {
  const outdated = await outdatedFiles(root, files);
  for (const path of outdated) await atomicWrite(join(root, path), files.get(path) ?? "");
  return outdated;
}

/**
 * Writes files that somebody will go on writing in.
 * @throws ERR_CODEGEN_EXISTS when one is there, and nothing is written, unless `force` is set.
 */
export async function writeStub(
  root: string,
  files: GeneratedFiles,
  { force }: { force: boolean },
): Promise<string[]> {
  const paths = [...files.keys()];
  const texts = await Promise.all(paths.map((path) => readText(join(root, path))));
  const present = paths.filter((_, at) => texts[at] !== null);
  if (present.length > 0 && !force) {
    throw codegenFailure("ERR_CODEGEN_EXISTS", `${present.join(", ")}: already there`, {
      fix: "choose another name, or write over it with --force",
    });
  }
  for (const [path, text] of files) await atomicWrite(join(root, path), text);
  return paths;
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
