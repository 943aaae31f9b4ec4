#!/usr/bin/env node
// `npm create sitewright`: the version of Node first, in syntax that Node 14 can read; then `create.mjs`.
import { readFileSync } from "fs";

const { version, engines } = JSON.parse(
  readFileSync(new URL("./package.json", import.meta.url), "utf8"),
);
const needed = engines.node.replace(/^>=/, "");
const [have, need] = [process.versions.node, needed].map((text) => text.split(".").map(Number));
const at = need.findIndex((number, index) => number !== have[index]);

if (at >= 0 && have[at] < need[at]) {
  process.stderr.write(
    `create-sitewright: Sitewright needs Node.js ${needed} or newer, this is ${process.versions.node}\n` +
      "  fix: install a newer version from https://nodejs.org, or with nvm: nvm install --lts\n",
  );
  process.exitCode = 2;
} else {
  import("./create.mjs")
    .then(({ main }) => main(process.argv.slice(2), version))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exitCode = 1;
    });
}
