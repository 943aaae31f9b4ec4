/** Runs `site import`, and prints its report. */
import { join, resolve } from "node:path";
import { atomicWrite, SiteError, type CommandInput, type SiteContext } from "#kernel";
import { sweepTemporaries } from "#lib/files";
import { nearest } from "#lib/values";
import type { ImportCounts, ImportGroup, ImportReport, ImportSource, Origin } from "./contract.js";
import { named, SOURCES } from "./names.js";
import { sources } from "./sources/sources.js";
import { importSite } from "./write/import-site.js";

const MAX_SHOWN = 20;
const MAX_GROUPS = 40;
const MAX_PLACES = 3;
const NEEDS_TYPE: ReadonlySet<string> = new Set(["csv", "json"]);

/** Runs `site import`. Resolves with the exit code. */
export async function runImport(input: CommandInput): Promise<number> {
  const { args, options, out } = input;
  const from = args[0] ?? "";
  const source = parseSource(from);
  const path = resolve(args[1] ?? "");
  const site = await input.site();
  const type = parseType(site, from, options["type"]);
  const bar = out.progress("import", 0);
  const dryRun = options["dryRun"] === true;
  // Files of an import that was killed: a site that is not served would keep them.
  const swept = dryRun ? undefined : sweepLeftovers(site.paths);
  swept?.catch((error: unknown) => site.log.warn("import.sweep_failed", { error: String(error) }));
  try {
    const report = await importSite(site, {
      from,
      source,
      input: {
        path,
        type,
        now: site.runtime.clock.now(),
        timezone: site.settings.system.timezone,
      },
      dryRun,
      takesMedia: options["media"] !== false,
      allowPrivate: options["allowPrivate"] === true,
      onProgress: (done, total) => bar.tick(done, `of ${total}`),
    });
    bar.end();
    await swept?.catch(() => undefined);
    await finish(report, input);
    return report.failures.length > 0 ? 1 : 0;
  } finally {
    bar.end();
  }
}

/** Of everything that an import writes: pages and media, records, and files of the root. */
async function sweepLeftovers({ root, content }: SiteContext["paths"]): Promise<void> {
  await Promise.all([
    sweepTemporaries(content),
    sweepTemporaries(join(root, "flex-objects")),
    sweepTemporaries(root, { isDeep: false }),
  ]);
}

async function finish(report: ImportReport, { options, out }: CommandInput): Promise<void> {
  const file = options["report"];
  if (typeof file === "string")
    await atomicWrite(resolve(file), `${JSON.stringify(report, null, 2)}\n`, {
      access: "shared",
    });
  if (options["json"] === true) out.json(report);
  else print(report, out);
}

/** @throws ERR_IMPORT_KIND */
function parseSource(name: string): ImportSource {
  const source = named(SOURCES, name);
  if (source !== undefined) return sources[source];
  const near = nearest(name, SOURCES);
  const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw new SiteError("ERR_IMPORT_KIND", `there is no source ${JSON.stringify(name)}${hint}`, {
    fix: `use one of ${SOURCES.join(", ")}`,
    exitCode: 2,
  });
}

/** @throws ERR_IMPORT_TYPE */
function parseType(site: SiteContext, from: string, asked: unknown): string | null {
  if (!NEEDS_TYPE.has(from)) return null;
  const types =
    site
      .use("flex", { optional: true })
      ?.types()
      .map(({ name }) => name) ?? [];
  if (typeof asked === "string" && types.includes(asked)) return asked;
  const shown =
    asked === undefined ? "no --type was given" : `there is no flex type ${JSON.stringify(asked)}`;
  const list =
    types.length === 0 ? "create flex-objects/<type>.yaml first" : `use one of ${types.join(", ")}`;
  throw new SiteError("ERR_IMPORT_TYPE", shown, { fix: list, exitCode: 2 });
}

function print(report: ImportReport, out: CommandInput["out"]): void {
  const { failures, links, dryRun } = report;
  if (dryRun) out.line(out.colour.yellow("dry run: nothing was written"));
  for (const part of ["pages", "media", "accounts", "records", "redirects", "sidebar"] as const) {
    const text = formatCounts(report[part]);
    if (text !== "") out.line(`${part}: ${text}`);
  }
  out.line(`links: ${links.rewritten} rewritten, ${links.unresolved} without target`);
  if (report.redirects.created > 0 && !dryRun)
    out.line("a running server applies the redirects after `site reload`");
  if (report.settings.length > 0) out.line(`settings: ${report.settings.join(", ")}`);
  groups(out, "not imported", report.groups);
  groups(out, "left of other syntax", report.leftovers);
  list(out, "links whose target was not imported", report.lostLinks);
  list(out, "links without target, in the source too", report.deadLinks);
  list(out, "failed, another run tries again", failures);
}

function groups(out: CommandInput["out"], title: string, all: readonly ImportGroup[]): void {
  if (all.length === 0) return;
  out.line(`${title}: ${all.reduce((sum, { count }) => sum + count, 0)}`);
  for (const { kind, count, places } of all.slice(0, MAX_GROUPS)) {
    const shown = places.slice(0, MAX_PLACES).map(formatPlace).join(", ");
    const rest = count > MAX_PLACES ? ", …" : "";
    out.line(count === 1 ? `  ${shown}  ${kind}` : `  ${count} × ${kind}: ${shown}${rest}`);
  }
  if (all.length > MAX_GROUPS)
    out.line(`  … ${all.length - MAX_GROUPS} more kinds; --report <file> has all`);
}

function formatPlace({ file, line }: Origin): string {
  return line === undefined ? file : `${file}:${line}`;
}

function list(out: CommandInput["out"], title: string, notes: ImportReport["notImported"]): void {
  if (notes.length === 0) return;
  out.line(`${title}: ${notes.length}`);
  for (const note of notes.slice(0, MAX_SHOWN)) out.line(`  ${formatPlace(note)}  ${note.reason}`);
  if (notes.length > MAX_SHOWN)
    out.line(`  … ${notes.length - MAX_SHOWN} more; --report <file> has all`);
}

function formatCounts({ created, unchanged, skipped, failed }: ImportCounts): string {
  const parts = [
    [created, "imported"],
    [unchanged, "already there"],
    [skipped, "not imported"],
    [failed, "failed"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count} ${label}`)
    .join(", ");
}
