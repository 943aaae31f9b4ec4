// Compiles kernel/, lib/, plugins/ and themes/ to dist/ (see bundle.mjs) and copies the other files.
// `node scripts/build.mjs` builds, `--types` adds declarations and the
// contract for a release; with `--reuse` all of it only where the sources have changed since.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle, entriesOf, isCode } from "./bundle.mjs";
import { noticesOf } from "./notices.mjs";
import { compilePanelClient, isPanelClient, panelPackages } from "./panel-client.mjs";
import { buildTypes } from "./types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const lock = join(root, "dist.lock");
const stampFile = join(dist, ".stamp.json");
const folders = ["kernel", "lib", "plugins", "themes"];
const lockPatienceMs = 120_000;

/** True when dist/ is missing or was compiled from other sources. */
export function isStale() {
  const stamp = readStamp();
  if (stamp === null) return true;
  const files = sourceFiles();
  if (stamp.times === timesOf(files)) return false;
  // A copied or freshly cloned tree has new times but the same contents.
  return stamp.contents !== contentsOf(files);
}

/** Builds if needed; of several processes that start together one builds and the others wait. */
export async function buildWhenStale() {
  // Of a test run, which has built: comparing the files takes every command 50 ms.
  if (process.env.SITEWRIGHT_DIST === "current" || !isStale()) return;
  if (process.stderr.isTTY) process.stderr.write("site: compiling …\n");
  await withLock(async () => {
    if (isStale()) await build();
  });
}

/** Compiles everything into a new folder and replaces dist/ with it. */
export async function build() {
  const files = sourceFiles();
  const stamp = { times: timesOf(files), contents: contentsOf(files) };
  const fresh = `${dist}.${process.pid}`;
  try {
    const esbuild = await loadEsbuild();
    const server = await bundle(esbuild, { root, entries: entriesOf(root, files), outdir: fresh });
    for (const { path, text } of await compilePanelClient(root)) {
      const file = join(fresh, relative(dist, path));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      // Smaller than what can be made for each response; a file of one packet gains nothing.
      if (text.length > 1_000) writeFileSync(`${file}.br`, brotliCompressSync(text));
    }
    const notices = noticesOf(root, { server, panel: await panelPackages(root) });
    writeFileSync(join(fresh, "bundled-packages.txt"), notices);
    for (const file of files.filter((name) => !isCode(name) && !isPanelClient(name))) {
      cpSync(join(root, file), join(fresh, file), { recursive: true });
    }
    writeOutlines(fresh);
    writeFileSync(join(fresh, ".stamp.json"), JSON.stringify(stamp));
    swap(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Writes the contract of this version for `site upgrade`, below `outdir`: part of a release. */
export function buildContract(outdir) {
  const file = join(outdir, "contract.json");
  const options = ["--import=tsx", "--conditions=source", join(root, "scripts", "contract.ts")];
  const { status } = spawnSync(process.execPath, [...options, file], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the contract could not be generated, see the errors above");
}

/** Writes the commands of the plugins for the command line, which shows its help without loading one. */
function writeOutlines(outdir) {
  const folder = join(outdir, "plugins");
  const program = `
    const { firstPartyPlugins } = await import(${JSON.stringify(pathToFileURL(join(folder, "main.js")).href)});
    const outlines = firstPartyPlugins.map(async ({ load }) => {
      const { name, requires = [], commands = [] } = await load();
      const loaded = typeof commands === "function" ? await commands() : commands;
      return { name, requires, commands: loaded.map(({ run, ...shown }) => shown) };
    });
    console.log(JSON.stringify(await Promise.all(outlines)));`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (status !== 0) throw new Error("the compiled plugins cannot be loaded, see the errors above");
  writeFileSync(join(folder, "outlines.json"), stdout);
}

async function loadEsbuild() {
  try {
    return await import("esbuild");
  } catch (cause) {
    throw new Error(
      "dist/ is not up to date and esbuild is not installed: run `npm ci` with development packages, or `npm run build` where it is installed",
      { cause },
    );
  }
}

function swap(fresh) {
  const old = `${dist}.old.${process.pid}`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
}

async function withLock(work) {
  const patientUntil = Date.now() + lockPatienceMs;
  while (!takeLock()) {
    if (Date.now() > patientUntil) {
      throw new Error(`another build holds ${lock}: remove it when none is running`);
    }
    await sleep(50);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function takeLock() {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isAbandoned()) rmSync(lock, { recursive: true, force: true });
    return false;
  }
  writeFileSync(join(lock, "pid"), String(process.pid));
  return true;
}

function isAbandoned() {
  try {
    process.kill(Number(readFileSync(join(lock, "pid"), "utf8")), 0);
    return false;
  } catch (error) {
    // ENOENT: its owner has created the folder but not yet written the file.
    return error.code === "ESRCH";
  }
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

function sourceFiles() {
  return folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !isLeftOut(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function isLeftOut(name) {
  return (
    ["bin.mjs", "start.mjs", "restore-version.mjs"].includes(name) ||
    name.endsWith(".d.ts") ||
    name.startsWith(".")
  );
}

function timesOf(files) {
  const hash = createHash("sha1");
  for (const file of inputsOf(files)) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest("hex");
}

function contentsOf(files) {
  const hash = createHash("sha1");
  for (const file of inputsOf(files)) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

// The compiled files depend on more than the sources.
function inputsOf(files) {
  const others = [
    "scripts/build.mjs",
    "scripts/bundle.mjs",
    "scripts/bundled-packages.json",
    "scripts/notices.mjs",
    "scripts/panel-client.mjs",
    "package.json",
    "package-lock.json",
  ];
  return [...files, ...others.filter((file) => existsSync(join(root, file)))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const reuses = process.argv.includes("--reuse");
  if (reuses) await buildWhenStale();
  else await withLock(build);
  // A new dist/ has no contract, which is written last.
  const isComplete = reuses && existsSync(join(dist, "contract.json"));
  if (process.argv.includes("--types") && !isComplete) {
    // `npm run check:types` is half of the time.
    buildTypes(root, { outdir: dist, check: !reuses });
    buildContract(dist);
  }
}
