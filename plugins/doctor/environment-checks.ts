/** Checks of the machine: Node, clock, watches of the file system. */
import { access, constants, opendir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { temporaryBeside } from "#lib/files";
import { satisfies } from "#lib/versions";
import { skewFinding } from "#lib/diagnostics";
import { readPackage } from "#lib/packages";
import type { Diagnostic, Finding } from "#kernel";

/** No release is older: a clock before it is wrong. */
const EARLIEST = Date.parse("2026-01-01T00:00:00Z");
/** Folders that are counted before the count is high enough to warn. */
const MAX_FOLDERS = 1_000_000;

/** The version of Node against the range that this version of Sitewright needs. */
export const nodeCheck: Diagnostic = {
  name: "node",
  run: () => {
    const { version, engines } = readPackage();
    const range = engines.node;
    const seen = `Sitewright ${version} on Node ${process.versions.node}`;
    if (satisfies(process.versions.node, range)) return [{ level: "ok", seen }];
    return [{ level: "error", seen, fix: `install Node ${range}` }];
  },
};

/** The clock of this machine against the year and the file system, which may be on another machine. */
export const clockCheck: Diagnostic = {
  name: "clock",
  run: async ({ paths }) => {
    const now = Date.now();
    if (now < EARLIEST) {
      const seen = `the clock says ${new Date(now).toISOString()}`;
      return [{ level: "error", seen, fix: "set the clock, for example with NTP" }];
    }
    const skew = await diskSkew(paths.runtime).catch(() => null);
    if (skew === null) return [];
    return [skewFinding("the file system", skew)];
  },
};

async function diskSkew(folder: string): Promise<number> {
  const file = temporaryBeside(join(folder, "clock"));
  try {
    const before = Date.now();
    await writeFile(file, "");
    const { mtimeMs } = await stat(file);
    return mtimeMs - before;
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

/** Linux limits the folders that all processes of a user watch. */
export const watchCheck: Diagnostic = {
  name: "file watches",
  run: async ({ paths }) => {
    const limit = await inotifyLimit();
    if (limit === null) return [];
    return [watchFinding(await countFolders(paths.content), limit)];
  },
};

/** A finding about folders to watch: other programs of the user share the limit. */
export function watchFinding(folders: number, limit: number): Finding {
  const seen = `${folders} folders of content, ${limit} can be watched`;
  if (folders < limit / 2) return { level: "ok", seen };
  const fix = `raise it: sysctl fs.inotify.max_user_watches=${Math.max(524_288, folders * 4)}`;
  return { level: folders < limit ? "warning" : "error", seen, fix };
}

async function inotifyLimit(): Promise<number | null> {
  const text = await readFile("/proc/sys/fs/inotify/max_user_watches", "utf8").catch(() => "");
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}

async function countFolders(root: string): Promise<number> {
  let count = 0;
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await opendir(folder).catch(() => null);
    if (entries === null || count >= MAX_FOLDERS) continue;
    count += 1;
    for await (const entry of entries) {
      if (entry.isDirectory()) pending.push(join(folder, entry.name));
    }
  }
  return count;
}

const TOOLS: readonly { name: string; use: string; fix: string }[] = [
  { name: "git", use: "git sync and plugins from git", fix: "install git" },
  { name: "npm", use: "plugins and themes from npm and upgrades", fix: "install Node.js with npm" },
];

/** The programs that commands run. */
const toolsCheck: Diagnostic = {
  name: "programs",
  run: async ({ env }) => {
    const folders = (env.get("PATH") ?? env.get("Path") ?? "").split(delimiter);
    const installed = await Promise.all(TOOLS.map(({ name }) => isIn(folders, name)));
    const missing = TOOLS.filter((_, at) => installed[at] !== true);
    if (missing.length === 0) return [{ level: "ok", seen: "git and npm are installed" }];
    return missing.map(({ name, use, fix }) => ({
      level: "warning",
      seen: `${name} is not in PATH: ${use} fail`,
      fix,
    }));
  },
};

async function isIn(folders: readonly string[], program: string): Promise<boolean> {
  const names = process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program];
  for (const file of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return true;
  }
  return false;
}

/** The checks of the machine. */
export const environmentChecks: readonly Diagnostic[] = [
  nodeCheck,
  toolsCheck,
  clockCheck,
  watchCheck,
];
