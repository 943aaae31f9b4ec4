// `npm test -- --changed[=<commit>]`: the tests that a change affects, without the rest.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { globSync } from "tinyglobby";

// Imported by nearly every file: following them would select nearly every test.
const shared = new Set([
  "kernel/index.ts",
  "kernel/testing/index.ts",
  "kernel/contracts.ts",
  "plugins/main.ts",
]);
const sources = "{kernel,plugins,themes,scripts,bench,test}/**/*.{ts,tsx,mjs}";

/** Tests affected by what differs from `commit` (default: the last commit) in the working tree. */
export function changedTests(root, commit = "HEAD") {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const listed = [
    git("diff", "--name-only", "--relative", commit, "--"),
    git("ls-files", "--others", "--exclude-standard"),
  ];
  const changed = listed.flatMap((text) => text.split("\n")).filter((line) => line !== "");
  const files = globSync(sources, { cwd: root, ignore: ["**/node_modules/**"] });
  return affectedTests(changed, new Map(files.map((file) => [file, importsOf(root, file)])));
}

/**
 * Tests that reach a changed file by relative imports, those of its folder, and those of what the
 * documentation shows. `imports`: file to the files that it imports, both relative to the root.
 */
export function affectedTests(changed, imports) {
  const tests = [...imports.keys()].filter((file) => /^test\/.*\.test\.tsx?$/.test(file));
  const reached = importersOf(changed, imports);
  const folders = changed.flatMap(testFolders);
  return tests
    .filter((test) => reached.has(test) || folders.some((folder) => isIn(test, folder)))
    .sort();
}

/** The changed files, and every file that imports one of them, directly or not. */
function importersOf(changed, imports) {
  const reached = new Set(changed);
  const waiting = [...changed];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (shared.has(file)) continue;
    for (const [importer, imported] of imports) {
      if (!imported.has(file) || reached.has(importer)) continue;
      reached.add(importer);
      waiting.push(importer);
    }
  }
  return reached;
}

/** Where the tests of a file are: `test/plugins/media/engines/`, and the files beside it and further up. */
function testFolders(file) {
  if (/^(content\/|README\.md|site\.yaml)/.test(file)) return ["test/docs/**"];
  if (!/^(kernel|plugins|themes|scripts)\//.test(file)) return [];
  const folder = dirname(file);
  const parts = folder.split("/");
  const above = parts.slice(1).map((_, at) => `test/${parts.slice(0, at + 2).join("/")}/*`);
  return [`test/${folder}/**`, `test/${folder}.test.ts`, ...above];
}

function isIn(test, folder) {
  if (folder.endsWith("/**")) return test.startsWith(folder.slice(0, -2));
  if (folder.endsWith("/*")) return dirname(test) === folder.slice(0, -2);
  return test === folder;
}

/** Relative imports, static and dynamic; `.js` names the TypeScript file beside it. */
function importsOf(root, file) {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/(?:from|import|new URL)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  return new Set(
    [...found].flatMap(([, specifier]) => {
      const path = normalize(join(dirname(file), specifier));
      return [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")];
    }),
  );
}
