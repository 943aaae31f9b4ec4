/** Parses a script of a source, and the scripts that it imports by relative paths. */
import { posix } from "node:path";
import { parse, type Program } from "acorn";
import { createJiti } from "jiti";
import { readConfigFile } from "../source-files.js";

const MAX_FILES = 20;
const ENDINGS = [
  "",
  ".js",
  ".ts",
  ".mjs",
  ".mts",
  ".cjs",
  ".cts",
  ".json",
  "/index.js",
  "/index.ts",
];

/** The files by path: parsed, or why not; null for a missing one. */
export type ScriptFiles = Map<string, Program | { issue: string; line: number } | null>;

/** Parses a file and those that it imports by a relative path. */
export async function collectScripts(
  root: string,
  path: string,
  files: ScriptFiles,
): Promise<void> {
  if (files.has(path) || files.size >= MAX_FILES) return;
  const source = await readConfigFile(root, path);
  const program = source === "" ? null : parseScript(source, path);
  files.set(path, program);
  if (program === null || "issue" in program) return;
  for (const [, name = ""] of source.matchAll(/["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g)) {
    for (const candidate of scriptPaths(path, name)) {
      if (!/\.(?:[cm]?[jt]s|json)$/.test(candidate)) continue;
      await collectScripts(root, candidate, files);
      if (files.get(candidate)) break;
      files.delete(candidate);
    }
  }
}

/** The files that a relative import may mean. */
export function scriptPaths(from: string, name: string): string[] {
  const path = posix.join(posix.dirname(from), name);
  if (path.startsWith("..")) return [];
  return [...ENDINGS.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, ".$1ts")];
}

function parseScript(source: string, path: string): Program | { issue: string; line: number } {
  try {
    const code = path.endsWith(".json")
      ? `module.exports = ${source.replace(/^\uFEFF/, "")}`
      : /\.[cm]?ts$/.test(path)
        ? createJiti(import.meta.url).transform({ source, filename: path, ts: true })
        : source;
    return parse(code, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = Number(/\((\d+):\d+\)/.exec(message)?.[1] ?? 1);
    const [plain = ""] = message.replace(/^[^\n]*?: (?=\S)/, "").split("\n");
    return { issue: `it cannot be parsed: ${plain.replace(/ \(\d+:\d+\)$/, "")}`, line };
  }
}
