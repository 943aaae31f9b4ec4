/** `site export`: picks pages, writes them in one of the formats, and prints the report. */
import { lstat, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, sep, resolve } from "node:path";
import type { SiteContext, CommandInput } from "#kernel";
import { errorCode, isDiskFailure } from "#lib/errors";
import { sweepTemporaries } from "#lib/files";
import { nearest } from "#lib/values";
import type { ExportReport } from "../contract.js";
import { type FormatName, FORMATS, named } from "../names.js";
import { exportError } from "../errors.js";
import { type ExportFormat, type Written, pickPages, type PickOptions } from "./pick-pages.js";
import { writeJson } from "./write-json.js";
import { writeMarkdown } from "./write-markdown.js";
import { writeWxr } from "./write-wxr.js";

const MAX_SHOWN = 20;
/** Texts leave the site as they were written. */
const PLAIN_TEXT = { system: { typography: { orphan_protection: false } } };

/** Runs `site export`. Resolves with the exit code. */
export async function runExport({ args, options, out, site: boot }: CommandInput): Promise<number> {
  const to = args[0] ?? "";
  const format = formatOf(to);
  const site = await boot({ purpose: "export", overrides: PLAIN_TEXT });
  const bar = out.progress("export", 0);
  try {
    const report = await exportSite(site, format, {
      to,
      out: resolve(args[1] ?? ""),
      below: toRoute(options["route"]),
      includesDrafts: options["drafts"] === true,
      includesGated: options["gated"] === true,
      onProgress: (done, total) => bar.tick(done, `of ${total}`),
    });
    bar.end();
    if (options["json"] === true) out.json(report);
    else print(report, out);
    return 0;
  } finally {
    bar.end();
  }
}

/** @throws ERR_IMPORT_TARGET */
function formatOf(name: string): ExportFormat {
  const format = named(FORMATS, name);
  if (format !== undefined) return formats[format];
  const near = nearest(name, FORMATS);
  const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw exportError("ERR_IMPORT_TARGET", `there is no format ${JSON.stringify(name)}${hint}`, {
    fix: `use one of ${FORMATS.join(", ")}`,
    exitCode: 2,
  });
}

function toRoute(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return `/${value.split("/").filter(Boolean).join("/")}`;
}

function print(report: ExportReport, out: CommandInput["out"]): void {
  const { pages, media, records, redirects, drafts, gated, leftOut, notes } = report;
  const counts = { pages, media, records, redirects };
  for (const [name, count] of Object.entries(counts)) if (count > 0) out.line(`${name}: ${count}`);
  if (drafts > 0) out.line(out.colour.yellow(`${drafts} of the pages are unpublished`));
  if (gated > 0) {
    const warning = `${gated} of the pages are for members: every reader of the export sees them`;
    out.line(out.colour.yellow(warning));
  }
  if (leftOut.drafts > 0) out.line(`left out: ${leftOut.drafts} unpublished; --drafts adds them`);
  if (leftOut.gated > 0) out.line(`left out: ${leftOut.gated} for members; --gated adds them`);
  if (leftOut.withoutAddress > 0) out.line(`left out: ${leftOut.withoutAddress} without address`);
  for (const { file, reason } of notes.slice(0, MAX_SHOWN)) out.line(`  ${file}  ${reason}`);
  if (notes.length > MAX_SHOWN) out.line(`  … ${notes.length - MAX_SHOWN} more; --json has all`);
  out.line(`${out.colour.green("✓")} ${report.out}`);
}

/** Options of an export. */
interface ExportOptions extends PickOptions {
  /** Name of the format. */
  readonly to: string;
  /** Absolute path of the file or folder. */
  readonly out: string;
  /** Called after each page. */
  readonly onProgress?: (done: number, total: number) => void;
}
/** The formats of `site export`, by name. */
const formats: Readonly<Record<FormatName, ExportFormat>> = {
  markdown: { kind: "folder", write: writeMarkdown },
  json: { kind: "file", write: writeJson },
  wxr: { kind: "file", write: writeWxr },
};

/**
 * Exports the site. A failed export leaves nothing behind.
 * @throws ERR_IMPORT_OUT, ERR_IMPORT_ROUTE, ERR_IMPORT_WRITE
 */
async function exportSite(
  site: SiteContext,
  format: ExportFormat,
  options: ExportOptions,
): Promise<ExportReport> {
  const { to, out, below, includesDrafts, onProgress } = options;
  try {
    await assertFree(site, out, format.kind);
  } catch (error) {
    throw asWriteError(error, out);
  }
  // Half a file of an export that was killed, in a folder that no start of the site looks at.
  const swept =
    format.kind === "file"
      ? sweepTemporaries(dirname(out), { isDeep: false }).catch(() => undefined)
      : undefined;
  const picked = pickPages(site, options);
  let done = 0;
  const tick = (): void => onProgress?.((done += 1), picked.pages.length);
  const write = (path: string): Promise<Written> =>
    format.write({ site, picked, out: path, below, includesDrafts, tick });
  try {
    const written = await (format.kind === "folder" ? writeStaged(out, write) : write(out));
    await swept;
    const { drafts, gated, leftOut } = picked;
    return { to, out, drafts, gated, leftOut, ...written };
  } catch (error) {
    throw asWriteError(error, out);
  }
}

async function writeStaged(
  out: string,
  write: (path: string) => Promise<Written>,
): Promise<Written> {
  const stage = await stageFolder(out);
  try {
    const written = await write(stage.path);
    await stage.publish();
    return written;
  } catch (error) {
    await stage.discard();
    throw error;
  }
}

function asWriteError(error: unknown, out: string): unknown {
  const code = errorCode(error);
  if (!isDiskFailure(code) && code !== "ENAMETOOLONG") return error;
  return exportError("ERR_IMPORT_WRITE", `${JSON.stringify(out)} cannot be written (${code})`, {
    fix: "check free space and permissions, and export again",
    cause: error,
  });
}

type Kind = "file" | "folder";
/** Name, or end of the name, of an incomplete export. */
const STAGE = ".export-partial";

/** Checks that the place is new or empty. @throws ERR_IMPORT_OUT */
async function assertFree(site: SiteContext, out: string, kind: Kind): Promise<void> {
  if (`${out}${sep}`.startsWith(`${site.paths.content}${sep}`)) {
    throw occupied(out, "it is in the content folder: the site would serve it");
  }
  const issue = await issueOf(out, kind);
  if (issue !== null) throw occupied(out, issue);
}

async function issueOf(out: string, kind: Kind): Promise<string | null> {
  try {
    const stats = await lstat(out);
    if (kind === "file") {
      if (!stats.isFile()) return "it is not a file";
      return stats.size === 0 ? null : "it has content";
    }
    if (!stats.isDirectory()) return "it is not a folder";
    return (await readdir(out)).every((name) => name === STAGE) ? null : "the folder is not empty";
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return "a folder above it is a file";
    throw error;
  }
}

/** A folder that is filled elsewhere first: a killed export leaves no folder that looks complete. */
interface StagedFolder {
  /** Absolute path to write to. */
  readonly path: string;
  /** Moves everything to its place. */
  publish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Prepares a folder for an export, and removes what a killed one left in its stage. */
async function stageFolder(out: string): Promise<StagedFolder> {
  const isNew = (await lstat(out).catch(() => null)) === null;
  // An existing folder may be a mount point or a working directory, which cannot be replaced.
  const path = isNew ? join(dirname(out), `.${basename(out)}${STAGE}`) : join(out, STAGE);
  const discard = (): Promise<void> => rm(path, { recursive: true, force: true });
  await discard();
  const publish = (): Promise<void> => (isNew ? rename(path, out) : moveUp(path, out));
  return { path, publish, discard };
}

async function moveUp(path: string, out: string): Promise<void> {
  for (const name of await readdir(path)) await rename(join(path, name), join(out, name));
  await rmdir(path);
}

function occupied(out: string, issue: string): Error {
  return exportError("ERR_IMPORT_OUT", `cannot export to ${JSON.stringify(out)}: ${issue}`, {
    fix: "name a new or empty folder for markdown, a new file for json and wxr",
    exitCode: 2,
  });
}
