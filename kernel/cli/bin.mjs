#!/usr/bin/env node
// The command `site`. In a clone it compiles the sources first when they have changed; an installed
// package carries `dist/` and has no build script.
import { existsSync } from "node:fs";
import module from "node:module";

// Node 22.8 and newer keep compiled code for the next startup, in the folder for temporary files.
module.enableCompileCache?.();
const buildScript = new URL("../../scripts/build.mjs", import.meta.url);
if (existsSync(buildScript)) {
  const { buildWhenStale } = await import(buildScript.href);
  await buildWhenStale();
}
const { main } = await import("../../dist/kernel/cli/main.js");
const { firstParty } = await import("../../dist/plugins/main.js");
await main(process.argv, firstParty);
