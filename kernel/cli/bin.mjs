#!/usr/bin/env node
// The command `site`: the version of Node first, in syntax that Node 14 can read; then `start.mjs`.
import { readFileSync } from "fs";

const manifest = readManifest();
const needed = manifest.engines.node.replace(/^>=/, "");
const found = process.versions.node;

if (isOlder(found, needed)) {
  process.stderr.write(
    `site: Sitewright ${manifest.version} needs Node.js ${needed} or newer, this is ${found}\n` +
      "  fix: install a newer version from https://nodejs.org, or with nvm: nvm install --lts\n",
  );
  process.exitCode = 2;
} else {
  import("./start.mjs").catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  });
}

function readManifest() {
  try {
    return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  } catch {
    // An upgrade that was killed: `start.mjs` brings the files back.
    return { version: "", engines: { node: ">=0.0.0" } };
  }
}

function isOlder(version, than) {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  const at = b.findIndex((number, index) => number !== a[index]);
  return at >= 0 && a[at] < b[at];
}
