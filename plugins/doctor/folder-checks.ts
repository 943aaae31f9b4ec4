/** Checks of the site's folders: that they can be written, who can read secrets, stale locks. */
import { chmod, lstat, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { errorCode } from "#lib/errors";
import { makeFolder, temporaryBeside, isAlive, processShape, SERVER_LOCK } from "#lib/files";
import { jsonFilesCheck, OTHERS, privateFoldersCheck } from "#lib/diagnostics";
import type { Diagnostic, ExaminedSite, Finding, Paths } from "#kernel";

const ENV_FILE = /^\.env(?:\.(?!example$|sample$|template$).+)?$/;
/** Files of the runtime folder that only the owner of the process may read. */
const SECRETS: readonly string[] = ["auth-secret", "initial-admin-password"];

/** Every folder that the site writes to exists and can be written: a server writes from the start on. */
export const foldersCheck: Diagnostic = {
  name: "folders",
  isNeeded: true,
  run: async ({ paths }) => {
    const { content, data, runtime, cache } = paths;
    const findings = await Promise.all(
      [content, data, runtime, cache].map((folder) => folderFinding(paths, folder)),
    );
    const problems = findings.filter(({ level }) => level !== "ok");
    if (problems.length > 0) return problems;
    return [{ level: "ok", seen: "all folders of the site can be written" }];
  },
};

async function folderFinding({ root, content }: Paths, folder: string): Promise<Finding> {
  const name = relative(root, folder);
  const stats = await stat(folder).catch(() => null);
  if (stats === null) {
    const make = async (): Promise<string> => {
      await makeFolder(folder, folder === content ? "shared" : "private");
      return `created ${name}`;
    };
    const parent = await existingParent(folder);
    const code = await writeError(parent);
    if (code !== null) {
      return unwritable(`${name} cannot be created`, relative(root, parent) || ".", code);
    }
    const fix = `create it: mkdir -p ${name}`;
    return { level: "warning", seen: `${name} does not exist`, fix, repair: make };
  }
  if (!stats.isDirectory()) {
    return { level: "error", seen: `${name} is not a folder`, fix: "move the file away" };
  }
  const code = await writeError(folder);
  if (code === null) return { level: "ok", seen: name };
  return unwritable(`${name} cannot be written`, name, code);
}

/** `code`: the error of the attempt. */
function unwritable(what: string, folder: string, code: string): Finding {
  const fix = FIXES[code] ?? `let the user of the server write it: chown -R "$(id -un)" ${folder}`;
  return { level: "error", seen: `${what}: ${code}`, fix };
}

const FULL = "delete files, or use a larger disk";
const FIXES: Readonly<Record<string, string>> = {
  EROFS: "mount its file system writable: it is read-only",
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** The error of writing and listing a folder; null when this process can do both. */
async function writeError(folder: string): Promise<string | null> {
  const probe = temporaryBeside(join(folder, "probe"));
  try {
    await writeFile(probe, "");
    await readdir(folder);
    return null;
  } catch (error) {
    return errorCode(error);
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** The nearest folder above a missing one. */
async function existingParent(missing: string): Promise<string> {
  const parent = dirname(missing);
  const stats = await stat(parent).catch(() => null);
  return stats !== null || parent === missing ? parent : existingParent(parent);
}

/** Only the owner may read files with secrets. */
export const secretFilesCheck: Diagnostic = {
  name: "secret files",
  run: async ({ paths: { root, runtime } }) => {
    const names = await readdir(root).catch((): string[] => []);
    const files = [
      ...names.filter((name) => ENV_FILE.test(name)).map((name) => join(root, name)),
      ...SECRETS.map((name) => join(runtime, name)),
    ];
    const findings = await Promise.all(files.map((file) => modeFinding(root, file)));
    return findings.flat();
  },
};

async function modeFinding(root: string, file: string): Promise<Finding[]> {
  const stats = await lstat(file).catch(() => null);
  if (stats === null || !stats.isFile() || process.platform === "win32") return [];
  const name = relative(root, file);
  if ((stats.mode & OTHERS) === 0) return [{ level: "ok", seen: `only its owner reads ${name}` }];
  const mode = (stats.mode & 0o777).toString(8);
  const repair = async (): Promise<string> => {
    await chmod(file, 0o600);
    return `chmod 600 ${name}`;
  };
  const seen = `other users may read ${name} (mode ${mode})`;
  return [{ level: "error", seen, fix: `chmod 600 ${name}`, repair }];
}

/** Locks of processes that have ended; a server removes them too, after a look at their owner. */
export const locksCheck: Diagnostic = {
  name: "locks",
  run: async ({ paths: { root, runtime } }) => {
    const files = [join(runtime, SERVER_LOCK), join(root, ".dune", "swap.lock")];
    const findings = await Promise.all(files.map((file) => lockFinding(root, file)));
    return findings.flat();
  },
};

async function lockFinding(root: string, file: string): Promise<Finding[]> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return [];
  const name = relative(root, file);
  const holder = parseHolder(text);
  const isGuarded = holder === null ? false : isAlive(holder);
  if (isGuarded === true) return [{ level: "ok", seen: `process ${holder?.pid} holds ${name}` }];
  if (isGuarded === null) {
    const seen = `${name} belongs to process ${holder?.pid} of ${JSON.stringify(holder?.host)}`;
    return [{ level: "ok", seen }];
  }
  const repair = async (): Promise<string> => {
    await rm(file, { force: true });
    return `removed ${name}`;
  };
  const fix = `rm ${name}`;
  return [{ level: "warning", seen: `${name} is of a process that has ended`, fix, repair }];
}

function parseHolder(text: string) {
  try {
    return processShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const ownFoldersCheck = privateFoldersCheck(({ paths }: ExaminedSite) => [
  paths.runtime,
  paths.cache,
]);

/** Uploads are files of visitors: any content is right. */
const FOREIGN: ReadonlySet<string> = new Set(["uploads"]);
/** Every JSON file of accounts, tokens, jobs, sessions and other records can be read. */
const storedFilesCheck = jsonFilesCheck(({ paths }: ExaminedSite) => [
  { path: paths.data, without: FOREIGN },
  { path: paths.runtime, without: FOREIGN },
]);

/** The checks of folders. */
export const folderChecks: readonly Diagnostic[] = [
  foldersCheck,
  secretFilesCheck,
  ownFoldersCheck,
  locksCheck,
  storedFilesCheck,
];
