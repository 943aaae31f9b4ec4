/** Exports a site: picks its pages, and writes them in one of the formats. */
import type { SiteContext } from "#kernel";
import { errorCode } from "#kernel/internal";
import type { ExportReport } from "../contract.js";
import type { FormatName } from "../names.js";
import { exportError } from "../errors.js";
import type { ExportFormat, Written } from "./format.js";
import { pickPages, type PickOptions } from "./pick-pages.js";
import { assertFree, stageFolder } from "./out-path.js";
import { writeJson } from "./write-json.js";
import { writeMarkdown } from "./markdown/write-markdown.js";
import { writeWxr } from "./wxr/write-wxr.js";

/** Options of an export. */
export interface ExportOptions extends PickOptions {
  /** Name of the format. */
  readonly to: string;
  /** Absolute path. */
  readonly out: string;
  readonly onProgress?: (done: number, total: number) => void;
}
/** The formats of `site export`, by name. */
export const formats: Readonly<Record<FormatName, ExportFormat>> = {
  markdown: { kind: "folder", write: writeMarkdown },
  json: { kind: "file", write: writeJson },
  wxr: { kind: "file", write: writeWxr },
};

/**
 * Exports the site. A failed export leaves nothing behind.
 * @throws ERR_IMPORT_OUT, ERR_IMPORT_ROUTE, ERR_IMPORT_WRITE
 */
export async function exportSite(
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
  const picked = pickPages(site, options);
  let done = 0;
  const tick = (): void => onProgress?.((done += 1), picked.pages.length);
  const write = (path: string): Promise<Written> =>
    format.write({ site, picked, out: path, below, includesDrafts, tick });
  try {
    const written = await (format.kind === "folder" ? writeStaged(out, write) : write(out));
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

const OF_THE_DISK = /^(?:ENOSPC|EDQUOT|EIO|EROFS|EACCES|EPERM|EMFILE|ENFILE|ENAMETOOLONG)$/;

function asWriteError(error: unknown, out: string): unknown {
  const code = errorCode(error) ?? "";
  if (!OF_THE_DISK.test(code)) return error;
  return exportError("ERR_IMPORT_WRITE", `${JSON.stringify(out)} cannot be written (${code})`, {
    fix: "check free space and permissions, and export again",
    cause: error,
  });
}
