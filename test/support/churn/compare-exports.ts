import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createEnv, createSite, type Clock } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { exportSite } from "../../../plugins/static/export-site.js";
import { FailureLog } from "../../../plugins/static/make/page-exporter.js";
import { exportedSearches, SEARCH_FILES } from "./exported-search.js";
import { copyRoot } from "./site-state.js";

/** Exports the site of `root`, which uses its caches, and a copy without; `copies`: a folder for both. */
export async function compareExports(root: string, copies: string, clock: Clock): Promise<void> {
  const copy = join(copies, "exported");
  copyRoot(root, copy);
  const folders = [join(copies, "export"), join(copies, "fresh-export")] as const;
  await exportTo(copy, folders[1], clock);
  await exportTo(root, folders[0], clock);
  const excluded = [".site-export.json", ...SEARCH_FILES].map((name) => `--exclude=${name}`);
  const { stdout } = spawnSync("diff", ["-r", ...excluded, ...folders], { encoding: "utf8" });
  assert.equal(stdout.slice(0, 2_000), "");
  const [found, expected] = await Promise.all(folders.map(exportedSearches));
  assert.deepEqual(found, expected);
  rmSync(folders[1], { recursive: true });
}

async function exportTo(root: string, out: string, clock: Clock): Promise<void> {
  const failures = new FailureLog();
  const exported = await createSite(root, {
    firstParty,
    env: createEnv({}),
    log: failures,
    purpose: "export",
    clock,
  });
  try {
    await exported.start();
    await exportSite(exported.context("static"), {
      out,
      concurrency: 1,
      includesDrafts: false,
      isFresh: false,
      failures,
      onProgress: () => undefined,
    });
  } finally {
    await exported.close();
  }
}
