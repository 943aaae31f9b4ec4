// Loads the scripts that module-scripts.mjs made of the bundle; each runs once in a process. What was
// kept of an earlier process with this version of Node and these flags is taken instead of compiling
// them again: V8 refuses any other. A build keeps it (keep-compiled.mjs); where there is nothing yet,
// as in an installed package, the first process that runs for a while does.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { isMainThread } from "node:worker_threads";

const require = createRequire(import.meta.url);
const imports = JSON.parse(readFileSync(new URL("scripts.json", import.meta.url), "utf8"));
const kept = new URL(`compiled/${process.version}-${cachedDataVersionTag()}/`, import.meta.url);
const scripts = new Map();
const loaded = new Map();
const packages = new Map();
const keptAfterMs = 10_000;

if (isMainThread && !existsSync(kept)) setTimeout(keepWhereAllowed, keptAfterMs).unref();

/** What the module `name` of the bundle exports. */
export async function load(name) {
  if (loaded.has(name)) return loaded.get(name);
  const order = [];
  collect(name, order);
  for (const path of order.flatMap((script) => imports[script].packages)) {
    if (packages.has(path)) continue;
    packages.set(path, isBuiltin(path) ? require(path) : await import(path));
  }
  // While packages were imported, another call may have run some of them.
  for (const script of order) if (!loaded.has(script)) run(script);
  return loaded.get(name);
}

/** Keeps what was compiled of each script so far, for later processes of this version of Node. */
export function keepCompiled() {
  for (const [name, script] of scripts) {
    const file = new URL(name, kept);
    mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
    const fresh = new URL(`${file.href}.${process.pid}`);
    writeFileSync(fresh, script.createCachedData());
    renameSync(fresh, file);
  }
}

function keepWhereAllowed() {
  try {
    keepCompiled();
  } catch (error) {
    // An installation may be read-only or another user's, a disk full, files all in use: then the next
    // start compiles as well. No such thing may end a server that runs.
    if (error.syscall === undefined) throw error;
  }
}

function collect(name, order) {
  if (loaded.has(name) || order.includes(name)) return;
  for (const script of imports[name].scripts) collect(script, order);
  order.push(name);
}

function run(name) {
  const url = new URL(`scripts/${name}`, import.meta.url);
  const script = new Script(readFileSync(url, "latin1"), {
    // What is kept holds the name too, and the folder may be moved.
    filename: `dist/scripts/${name}`,
    cachedData: compiledBefore(name),
  });
  scripts.set(name, script);
  const meta = {
    url: url.href,
    resolve: (path) => import.meta.resolve(path),
    import: (path) => import(path),
  };
  loaded.set(name, script.runInThisContext()(take, load, require, meta) ?? {});
}

function take(path) {
  return loaded.get(path) ?? packages.get(path);
}

function compiledBefore(name) {
  try {
    return readFileSync(new URL(name, kept));
  } catch (error) {
    // Nothing was kept yet, or another user keeps it: the script is compiled.
    if (error.syscall !== undefined) return undefined;
    throw error;
  }
}
