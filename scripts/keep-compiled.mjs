// Starts a small site with the bundle in the folder given and keeps what that has compiled: the
// functions that every start needs. `node scripts/keep-compiled.mjs dist`
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "dist"] = process.argv.slice(2);
const fromBundle = (name) => import(pathToFileURL(join(resolve(folder), name)).href);
const page = `---
title: Home
date: 2026-01-01
taxonomy:
  tag: [one, two]
---

# Home

A page with **words**, [a link](/) and \`code\`.
`;

const { keepCompiled } = await fromBundle("script-loader.mjs");
await fromBundle("kernel/cli/main.js");
const { createEnv, createSite, silentLog } = await fromBundle("kernel/index.js");
const { house } = await fromBundle("plugins/main.js");
const root = mkdtempSync(join(tmpdir(), "site-compiled-"));
try {
  mkdirSync(join(root, "content", "01.home"), { recursive: true });
  writeFileSync(join(root, "content", "01.home", "default.md"), page);
  writeFileSync(join(root, "site.yaml"), "title: Home\nurl: http://localhost:8000\n");
  // Twice: the second start takes what the first has kept.
  for (let start = 0; start < 2; start += 1) await startAndAsk();
  keepCompiled();
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function startAndAsk() {
  const site = await createSite(root, { house, env: createEnv({}), log: silentLog });
  const port = await site.listen(0);
  await site.ready;
  for (const path of ["/", "/health/ready", "/api/pages"]) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    if (!answer.ok) throw new Error(`${path} of the bundle answers ${answer.status}`);
    await answer.text();
  }
  await site.close();
}
