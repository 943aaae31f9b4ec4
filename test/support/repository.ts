// This repository, for the architecture tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";

/** Absolute path of the repository, with a trailing slash. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Matching files below the repository, relative to it and sorted. */
export function filesOf(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: repository }).sort();
}

/** The text of a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

/** The code of a file: comments and the contents of strings are blanked. */
export function codeOf(file: string): string {
  return codeIn(textOf(file));
}

/** The same of a text. */
export function codeIn(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
    (found) => (found.startsWith("/") ? " " : '""'),
  );
}

/** Names of the first-party plugins: the folders of `plugins/`. */
export function pluginNames(): string[] {
  return readdirSync(join(repository, "plugins"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
