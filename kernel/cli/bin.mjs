#!/usr/bin/env node
// The command `site`. A checkout compiles changed sources first; an installed package has `dist/` and
// no build script.
import { existsSync } from "node:fs";

const buildScript = new URL("../../scripts/build.mjs", import.meta.url);
if (existsSync(buildScript)) {
  const { buildWhenStale } = await import(buildScript.href);
  await buildWhenStale();
}
const { main } = await import("../../dist/kernel/cli/main.js");
const { house } = await import("../../dist/plugins/main.js");
await main(process.argv, house);
