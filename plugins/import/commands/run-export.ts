/** What `site export` does, and what it prints. */
import { resolve } from "node:path";
import type { CommandInput } from "#kernel";
import { nearest } from "#kernel/internal";
import type { ExportReport } from "../contract.js";
import { exportError } from "../errors.js";
import { exportSite, formats } from "../export/export-site.js";
import type { ExportFormat } from "../export/pick-pages.js";
import { FORMATS, named } from "../names.js";

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
      below: routeOf(options["route"]),
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

function routeOf(value: unknown): string | null {
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
