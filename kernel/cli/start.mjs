// What `bin.mjs` runs when the version of Node is right. In a clone it compiles the sources first when they
// have changed; an installed package carries `dist/` and has no build script.
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

// An upgrade that was killed: first bring the former version back.
const upgrade = new URL("../../../.sitewright-upgrade/", import.meta.url);
if (existsSync(new URL("journal.json", upgrade))) await undoUpgrade(fileURLToPath(upgrade));
const [, , word, ...others] = process.argv;
const isVersion = others.length === 0 && (word === "--version" || word === "-V");
if (isVersion) printVersion();
else if (process.versions.pnp === undefined) await run();
else rejectPlugAndPlay();

/** Does not load the program: scripts and editors ask for the version often. */
function printVersion() {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
}

/** Plugins and themes are found in node_modules, and the file functions of Plug'n'Play cannot write safely. */
function rejectPlugAndPlay() {
  process.stderr.write(
    "site: Yarn's Plug'n'Play is not supported\n" +
      "  fix: add `nodeLinker: node-modules` to .yarnrc.yml, then run: yarn install\n",
  );
  process.exitCode = 2;
}

async function run() {
  // Node 22.8 and newer keep compiled code for the next startup, in the folder for temporary files. They hold it in
  // memory as long as the process runs: 10 MB, which save a server less than 0.1 s of CPU time.
  if (word !== "serve") module.enableCompileCache?.();
  const buildScript = new URL("../../scripts/build.mjs", import.meta.url);
  if (existsSync(buildScript)) {
    const { buildWhenStale } = await import(buildScript.href);
    await buildWhenStale();
  }
  const { main } = await import("../../dist/kernel/cli/main.js");
  const { firstParty } = await import("../../dist/plugins/main.js");
  await main(process.argv, firstParty);
}

async function undoUpgrade(state) {
  const { undoInterrupted } = await import("./restore-version.mjs");
  try {
    const undone = undoInterrupted(state);
    if (undone === null) return;
    const { from, to } = undone;
    process.stderr.write(`site: the upgrade to ${to} was interrupted, ${from} is back\n`);
  } catch (error) {
    process.stderr.write(`site: an upgrade was interrupted: ${error.message}\n`);
    process.exit(1);
  }
}
