import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Command, CommandInput, Output, SiteContext } from "#kernel";
import { canParseUrl } from "#lib/urls";
import type { ExportReport } from "./contract.js";
import { staticError } from "./errors.js";
import type { FailureLog } from "./make/page-exporter.js";

/** Maximum number of broken links to print. */
const MAX_SHOWN = 20;
const MAX_THREADS = 64;

interface BuildOptions {
  out: string;
  baseUrl: string | null;
  concurrency: number;
  includesDrafts: boolean;
  isFresh: boolean;
  allowsBrokenLinks: boolean;
}

/** `build --static`: exports the site as files. */
export function buildCommand(): Command {
  return {
    name: "build",
    summary: "write the site as files that any host can serve",
    options: [
      ["--static", "what is built: static files"],
      ["--out <dir>", "folder of the files, relative to the site (default: dist)"],
      ["--base-url <url>", "address the files will be served at (default: `url` of site.yaml)"],
      ["--concurrency <number>", "threads that make pages (default: one per processor)"],
      ["--include-drafts", "unpublished pages too"],
      ["--fresh", "render every page again"],
      ["--allow-broken-links", "exit with 0 though links lead to nothing in the export"],
      ["--check [url]", "compare the export with the running server instead (default: `url`)"],
      ["--json", "print a report as JSON"],
    ],
    run: build,
  };
}

async function build(input: CommandInput): Promise<number> {
  const options = parseOptions(input);
  if (input.options["check"] !== undefined) {
    const { checkExport } = await import("./check-export.js");
    return checkExport(input, options.out, options.baseUrl);
  }
  const { FailureLog } = await import("./make/page-exporter.js");
  const failures = new FailureLog();
  const site = await input.site({
    purpose: "export",
    log: failures,
    ...(options.baseUrl !== null && { overrides: { site: { url: options.baseUrl } } }),
  });
  const exportReport = await exported(site, input.out, options, failures);
  const hasBrokenLinks = exportReport.broken.length > 0 && !options.allowsBrokenLinks;
  const report = { ...exportReport, success: exportReport.success && !hasBrokenLinks };
  if (input.options["json"] === true) input.out.json(report);
  else print(report, input.out);
  return report.success ? 0 : 1;
}

async function exported(
  site: SiteContext,
  out: Output,
  options: BuildOptions,
  failures: FailureLog,
): Promise<ExportReport> {
  // The total is unknown until links are followed, so the bar grows with the work.
  const bar = out.progress("pages", 0);
  const { out: folder, concurrency, includesDrafts, isFresh } = options;
  try {
    const { exportSite } = await import("./export-site.js");
    return await exportSite(site, {
      out: folder,
      concurrency,
      includesDrafts,
      isFresh,
      failures,
      onProgress: (done, total) =>
        bar.tick(done, done < total ? `of ${total}` : `of ${total}, then search and what is left`),
    });
  } finally {
    bar.end();
  }
}

function parseOptions({ options, root }: CommandInput): BuildOptions {
  if (options["static"] !== true) {
    throw staticError("ERR_STATIC_OPTION", "build needs to know what to build", {
      fix: "site build --static",
      exitCode: 2,
    });
  }
  const { out = "dist", baseUrl, concurrency } = options;
  return {
    out: resolve(root, String(out)),
    baseUrl: baseUrl === undefined ? null : parseBaseUrl(String(baseUrl)),
    concurrency:
      concurrency === undefined ? availableParallelism() : parseThreads(String(concurrency)),
    includesDrafts: options["includeDrafts"] === true,
    isFresh: options["fresh"] === true,
    allowsBrokenLinks: options["allowBrokenLinks"] === true,
  };
}

function parseBaseUrl(text: string): string {
  const isHttp = canParseUrl(text) && /^https?:$/.test(new URL(text).protocol);
  const url = isHttp ? new URL(text) : null;
  if (url === null || url.search !== "" || url.hash !== "") {
    throw staticError("ERR_STATIC_OPTION", `--base-url is ${JSON.stringify(text)}`, {
      fix: "give an http(s) address, such as https://example.org/docs",
      exitCode: 2,
    });
  }
  return url.href.replace(/(?<!\/)\/+$/, "");
}

function parseThreads(text: string): number {
  const threads = Number(text);
  if (/^\d{1,2}$/.test(text) && threads >= 1 && threads <= MAX_THREADS) return threads;
  throw staticError("ERR_STATIC_OPTION", `--concurrency is ${JSON.stringify(text)}`, {
    fix: `give a whole number from 1 to ${MAX_THREADS}`,
    exitCode: 2,
  });
}

function print(report: ExportReport, out: Output): void {
  const { green, red, yellow, dim } = out.colour;
  const { failures, broken, rendered, kept, written, removed, files, gated, elapsedMs } = report;
  for (const { url, message } of failures) out.error(`${red("✗")} ${url}: ${message}`);
  for (const { target, from } of broken.slice(0, MAX_SHOWN)) {
    out.error(`${yellow("!")} ${target} is not there; linked from ${from.join(", ")}`);
  }
  if (broken.length > MAX_SHOWN) out.error(`  and ${broken.length - MAX_SHOWN} more`);
  if (broken.length > 0 && !report.success) {
    out.error("  correct these links, or export with --allow-broken-links");
  }
  for (const { from, to } of report.deadRedirects.slice(0, MAX_SHOWN)) {
    out.error(
      `${yellow("!")} the redirect from ${from} leads to ${to}, which is not in the export; correct or remove it in \`redirects\` of site.yaml, or \`redirect\` of the page`,
    );
  }
  if (report.deadRedirects.length > MAX_SHOWN) {
    out.error(`  and ${report.deadRedirects.length - MAX_SHOWN} more redirects`);
  }
  for (const { page, reason } of report.leftOut.slice(0, MAX_SHOWN)) {
    out.line(dim(`- ${page} left out: ${reason}`));
  }
  if (report.leftOut.length > MAX_SHOWN) {
    out.line(dim(`  and ${report.leftOut.length - MAX_SHOWN} more`));
  }
  const mark = report.success ? green("✓") : red("✗");
  const left = gated === 0 ? "" : `, ${gated} for members only left out`;
  out.line(`${mark} ${files} files in ${report.out}${left}`);
  out.line(
    dim(
      `  ${rendered} rendered, ${kept} unchanged, ${written} written, ${removed} removed, ${elapsedMs} ms`,
    ),
  );
}
