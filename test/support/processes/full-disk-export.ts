// An export to a disk of one megabyte: unshare -rm node --import=tsx full-disk-export.ts <root>
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEnv, createSite } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { parseBaseUrl } from "../../../plugins/static/plan/addresses.js";
import { asWriteError } from "../../../plugins/static/errors.js";
import { ThreadWorker } from "../../../plugins/static/make/workers.js";
import { exportSite } from "../../../plugins/static/export-site.js";
import { FailureLog } from "../../../plugins/static/make/page-exporter.js";

/** The error of an export; null when it succeeded. */
export type Ending = { code: unknown; message: string; fix: unknown } | null;
/** The results. */
export interface FullDiskExport {
  readonly error: Ending;
  /** Of the pages that a thread was to write. */
  readonly ofThread: Ending;
  /** Whether every file of the first export was unchanged afterwards. */
  readonly isIntact: boolean;
  /** Files in the folder besides those of the first export. */
  readonly strangers: readonly string[];
  /** Whether an export succeeded once there was room again. */
  readonly recovered: boolean;
}

const [root = ""] = process.argv.slice(2);
const out = join(root, "dist");
mkdirSync(out);
execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", out]);

async function openForExport(failures: FailureLog) {
  return createSite(root, { firstParty, env: createEnv({}), log: failures, purpose: "export" });
}

async function runExport(): Promise<boolean> {
  const failures = new FailureLog();
  const site = await openForExport(failures);
  try {
    await site.start();
    const { success } = await exportSite(site.context("static"), {
      out,
      concurrency: 1,
      includesDrafts: false,
      isFresh: false,
      failures,
      onProgress: () => undefined,
    });
    return success;
  } finally {
    await site.close();
  }
}

/** A thread writes to the disk when it is full. */
async function runThread(): Promise<void> {
  const site = await openForExport(new FailureLog());
  const filler = join(out, "filler");
  const { recipe } = site.context("static").runtime;
  const worker = new ThreadWorker({
    recipe,
    siteAddress: parseBaseUrl("https://example.org"),
    stage: out,
    name: "thread",
    searchHeads: new Map<string, string>(),
    showsDrafts: false,
  });
  try {
    assert.throws(() => writeFileSync(filler, Buffer.alloc(2 ** 21)), { code: "ENOSPC" });
    await worker.export([{ url: "/" }]);
  } catch (error) {
    throw asWriteError(error, "dist");
  } finally {
    await worker.close();
    for (const name of readdirSync(out)) {
      if (name === "filler" || name.startsWith("thread-")) rmSync(join(out, name));
    }
    await site.close();
  }
}

function endingOf(work: Promise<unknown>): Promise<Ending> {
  return work.then(
    () => null,
    (found: unknown) =>
      found instanceof Error
        ? {
            code: "code" in found ? found.code : undefined,
            message: found.message,
            fix: "fix" in found ? found.fix : undefined,
          }
        : { code: undefined, message: String(found), fix: undefined },
  );
}

function filesOf(): Map<string, string> {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(out.length + 1), readFileSync(file, "latin1")];
    }),
  );
}

await runExport();
const before = filesOf();
const many = join(root, "content", "09.many");
for (let at = 0; at < 300; at += 1) {
  mkdirSync(join(many, `p${at}`), { recursive: true });
  writeFileSync(join(many, `p${at}`, "default.md"), `# Page ${at}\n\n${"word ".repeat(1_500)}\n`);
}
const error = await endingOf(runExport());
const after = filesOf();
rmSync(many, { recursive: true });
const ofThread = await endingOf(runThread());
const report: FullDiskExport = {
  error,
  ofThread,
  isIntact: [...before].every(([file, bytes]) => after.get(file) === bytes),
  strangers: [...after.keys()].filter((file) => !before.has(file)),
  recovered: await runExport(),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
