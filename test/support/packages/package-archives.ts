/** Packages without a registry: a tarball packed by npm, and a git repository. */
import { execFile } from "node:child_process";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const AUTHOR = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];

/** The source of a plugin with a command `hello`, which prints `words`. */
export const pluginSource = (words: string): string =>
  `export default { name: "hello", version: "1.0.0", commands: [{ name: "hello", summary: "-", run: ({ out }) => out.line(${JSON.stringify(words)}) }] };\n`;

/** A package: a plugin that prints `words`, or other files. */
export type PackageGiven = { name: string } & (
  { words: string } | { files: Readonly<Record<string, string>> }
);

async function writePackage(folder: string, { name, ...given }: PackageGiven): Promise<void> {
  const manifest = { name, version: "1.0.0", type: "module", main: "index.js" };
  const files = "files" in given ? given.files : { "index.js": pluginSource(given.words) };
  for (const [path, text] of Object.entries({
    "package.json": JSON.stringify(manifest),
    ...files,
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Packs a plugin or theme into `file`, a .tgz; its sources are in a folder beside it. */
export async function packPlugin(file: string, given: PackageGiven): Promise<void> {
  const folder = `${file}.source`;
  await writePackage(folder, given);
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", dirname(file)], {
    cwd: folder,
  });
  await rename(join(dirname(file), stdout.trim().split("\n").at(-1) ?? ""), file);
}

/** Commits a plugin or theme to a repository, created when absent; resolves with the commit. */
export async function commitPlugin(folder: string, given: PackageGiven): Promise<string> {
  await writePackage(folder, given);
  const git = (...args: string[]) => run("git", [...AUTHOR, ...args], { cwd: folder });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--message=plugin");
  return (await git("rev-parse", "HEAD")).stdout.trim();
}

/** Tags the last commit with an annotated tag. */
export async function tagPlugin(folder: string, tag: string): Promise<void> {
  await run("git", [...AUTHOR, "tag", "--annotate", "--message=tag", tag], { cwd: folder });
}
