/** Static exports of small sites on temporary folders. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSite, createEnv, type Plugin } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import type { ExportReport } from "../../../plugins/static/contract.js";
import { exportSite, type ExportOptions } from "../../../plugins/static/export-site.js";
import { FailureLog } from "../../../plugins/static/make/page-exporter.js";
import { processFolder } from "./process-folder.js";

/** A site that is exported repeatedly. */
export interface ExportedFolder {
  root: string;
  /** Folder of the export. */
  out: string;
  write(file: string, data: string | Buffer): Promise<void>;
  remove(file: string): Promise<void>;
  export(
    options?: Partial<Pick<ExportOptions, "concurrency" | "includesDrafts" | "isFresh" | "out">> & {
      baseUrl?: string;
      extraPlugins?: readonly Plugin[];
    },
  ): Promise<ExportReport>;
  read(file: string): Promise<string>;
  /** Every file of the export, sorted. */
  files(): string[];
  close(): Promise<void>;
}

/** Writes a site and returns functions to export it. */
export async function exportFolder(
  files: Readonly<Record<string, string | Buffer>>,
): Promise<ExportedFolder> {
  const root = await mkdtemp(join(tmpdir(), "site-export-"));
  const out = join(root, "dist");
  const write = async (file: string, data: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), data);
  };
  const given = { "site.yaml": "title: Test\nurl: https://example.org\n", ...files };
  for (const [file, data] of Object.entries(given)) await write(file, data);
  await mkdir(join(root, ".dune/cache"), { recursive: true });
  await symlink(drawnCards(), join(root, ".dune/cache/cards"));
  return {
    root,
    out,
    write,
    remove: (file) => rm(join(root, file), { recursive: true }),
    export: async ({ baseUrl, extraPlugins, ...options } = {}) => {
      const failures = new FailureLog();
      const site = await createSite(root, {
        firstParty,
        env: createEnv({}),
        log: failures,
        purpose: "export",
        ...(baseUrl !== undefined && { overrides: { site: { url: baseUrl } } }),
        ...(extraPlugins && { extraPlugins }),
      });
      try {
        await site.start();
        return await exportSite(site.context("static"), {
          out,
          concurrency: 1,
          includesDrafts: false,
          isFresh: false,
          failures,
          onProgress: () => undefined,
          ...options,
        });
      } finally {
        await site.close();
      }
    },
    read: (file) => readFile(join(out, file), "utf8"),
    files: () =>
      readdirSync(out, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
        .sort(),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

let cards: string | undefined;

/** A folder of preview pictures for all exports of the process: each takes long to draw. */
function drawnCards(): string {
  return (cards ??= processFolder("site-cards-"));
}
