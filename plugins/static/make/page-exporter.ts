import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "#lib/errors";
import type { Logger } from "#kernel";
import type { SiteResponse } from "../contract.js";
import { diskErrorCode } from "../errors.js";
import {
  ownAddress,
  variantPath,
  type BaseAddress,
  isPage,
  outputPath,
} from "../plan/addresses.js";
import { PageRewriter } from "./page-rewriter.js";

/** An address to export. */
export interface ExportJob {
  /** Path and query of the request. */
  url: string;
  /** File below the export, if it does not follow from the address. */
  file?: string;
  /** Expected status besides 200, for the error page. */
  status?: number;
  /** Digest of the existing file; identical bytes are not written again. */
  known?: string;
}
/** The result of a job. */
export interface ExportOutcome {
  url: string;
  kind: "written" | "redirect" | "gated" | "missing" | "failed" | "nameless";
  message?: string;
  /** The target of a redirect. */
  location?: string;
  status?: number;
  file?: string;
  /** Name in the folder of new files; absent when the bytes did not change. */
  staged?: string;
  hash?: string;
  size?: number;
  mtimeMs?: number;
  reads?: string[] | null;
  expiresAt?: number | null;
  /** Image variants of the page, as the site serves them. */
  variants?: string[];
  /** Link targets that this exporter has not reported before. */
  links?: string[];
  /** CSP sources of inline scripts and styles. */
  inline?: string[];
  /** Pages whose body could not be rendered, since the last outcome. */
  problems?: { page: string; message: string }[];
}
/** Dependencies of exporting a page. */
interface PageExporterOptions {
  client: { request(target: string): Promise<SiteResponse> };
  siteAddress: BaseAddress;
  /** Folder of new files. */
  stage: string;
  /** Distinguishes the files of several threads. */
  name: string;
  failures: FailureLog;
  /** Markup for the head of search pages, by path. */
  searchHeads: ReadonlyMap<string, string>;
}

const KINDS: Readonly<Record<number, ExportOutcome["kind"]>> = {
  401: "gated",
  403: "gated",
  404: "missing",
  410: "missing",
};

/** Requests pages and files from the site, and writes them for a static host. */
export class PageExporter {
  readonly #options: PageExporterOptions;
  readonly #rewriter: PageRewriter;
  #count = 0;

  constructor(options: PageExporterOptions) {
    this.#options = options;
    this.#rewriter = new PageRewriter(options.siteAddress);
  }

  /** Reports errors of a single page in the outcome; throws only for errors such as a full disk. */
  async export(job: ExportJob): Promise<ExportOutcome> {
    const outcome = await this.#export(job);
    const problems = this.#options.failures.takeProblems();
    return problems.length === 0 ? outcome : { ...outcome, problems };
  }

  async #export(job: ExportJob): Promise<ExportOutcome> {
    const { client, failures } = this.#options;
    const path = job.url.split("?", 1)[0] ?? "";
    const response = await client.request(job.url);
    const failure = failures.take(decodeURIComponent(path));
    const outcome = this.#refused(job, response, failure);
    if (outcome !== null) return outcome;
    try {
      return this.#write(job, response);
    } catch (error) {
      if (diskErrorCode(error) !== null) throw error;
      return { url: job.url, kind: "failed", message: messageOf(error) };
    }
  }

  #refused(job: ExportJob, response: SiteResponse, failure: string | null): ExportOutcome | null {
    const { url } = job;
    const { status } = response;
    if (status === 200 || status === job.status) {
      return failure === null ? null : { url, kind: "failed", message: failure };
    }
    if (response.headers["location"] !== undefined)
      return redirected(url, response, this.#options.siteAddress);
    const kind = KINDS[status] ?? "failed";
    const message = failure ?? `the site answers ${status}`;
    return kind === "failed" ? { url, kind, message } : { url, kind };
  }

  #write(job: ExportJob, response: SiteResponse): ExportOutcome {
    const { url } = job;
    const [path = ""] = url.split("?", 1);
    const variant = findVariant(url);
    const file = job.file ?? outputPath(variant ?? path, response.type);
    if (file === null) return { url, kind: "nameless" };
    const output = this.#transform(path, response);
    const hash = digest(output.body);
    const written = hash === job.known ? {} : this.#stage(output.body);
    const { reads, expiresAt } = response;
    return {
      url,
      kind: "written",
      file,
      hash,
      size: Buffer.byteLength(output.body),
      reads: reads === null ? null : [...reads],
      expiresAt,
      ...written,
      ...output.found,
    };
  }

  #transform(path: string, { type, body }: SiteResponse) {
    if (isPage(type)) {
      const text = body.toString();
      const { html, ...addresses } = this.#rewriter.rewrite(text, path);
      const head = this.#options.searchHeads.get(path) ?? "";
      return {
        body: head === "" ? html : html.replace("</head>", () => `${head}</head>`),
        found: addresses,
      };
    }
    return { body, found: {} };
  }

  #stage(body: string | Buffer): { staged: string; mtimeMs: number } {
    this.#count += 1;
    const staged = `${this.#options.name}-${this.#count}`;
    // Synchronous writes of small files cost a quarter, and nothing else runs in this thread.
    const file = openSync(join(this.#options.stage, staged), "w");
    try {
      writeFileSync(file, body);
      return { staged, mtimeMs: fstatSync(file).mtimeMs };
    } finally {
      closeSync(file);
    }
  }
}

function redirected(
  url: string,
  { status, headers }: SiteResponse,
  siteAddress: BaseAddress,
): ExportOutcome {
  const { location: target = "/" } = headers;
  const address = target.startsWith("/") ? ownAddress(target, url, siteAddress) : null;
  const location = address === null ? target : address.path + address.query + address.hash;
  const isLogin = location.startsWith("/auth/login?next=");
  return isLogin ? { url, kind: "gated" } : { url, kind: "redirect", location, status };
}

/** Digest of a file's bytes. */
export function digest(body: string | Buffer): string {
  return createHash("sha1").update(body).digest("base64url");
}

function findVariant(url: string): string | null {
  const mark = url.indexOf("?");
  return mark === -1 ? null : variantPath({ path: url.slice(0, mark), query: url.slice(mark) });
}

const MAX_WARNINGS = 100;

/** A log that collects the errors of each page, and little else. */
export class FailureLog implements Logger {
  readonly #byPath: Map<string, string>;
  readonly #warnings: string[];
  #problems: { page: string; message: string }[] = [];

  constructor() {
    this.#byPath = new Map();
    this.#warnings = [];
  }

  /**
   * Takes the failures since the last call while pages were rendered: the source path of a page and why its body is
   * missing, or the plugin whose part is missing.
   */
  takeProblems(): { page: string; message: string }[] {
    const problems = this.#problems;
    if (problems.length > 0) this.#problems = [];
    return problems;
  }

  /** Errors for this path since the last call, or null. */
  take(path: string): string | null {
    const message = this.#byPath.get(path) ?? null;
    this.#byPath.delete(path);
    return message;
  }

  /** Warnings of the site during boot and indexing. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  debug(): void {
    // Irrelevant to an export.
  }

  info(): void {
    // Irrelevant to an export.
  }

  warn(event: string, fields: Record<string, unknown> = {}): void {
    if (this.#warnings.length < MAX_WARNINGS)
      this.#warnings.push(`${event} ${JSON.stringify(fields)}`);
  }

  error(event: string, fields: Record<string, unknown> = {}): void {
    const { path, error, message, sourcePath } = fields;
    if (event === "request.failed") this.#byPath.set(String(path), String(error));
    else if (event === "markdown.failed")
      this.#problems.push({ page: String(sourcePath), message: String(message) });
    else if (event === "hook.failed" || event === "extension.failed") {
      const { plugin, hook, list, key } = fields;
      const part = key === undefined ? String(list) : `${String(list)} ${String(key)}`;
      const source = event === "hook.failed" ? `hook ${String(hook)}` : `list ${part}`;
      this.#problems.push({
        page: `plugin ${String(plugin)}`,
        message: `${source}: ${String(error)}`,
      });
    } else this.warn(event, fields);
  }

  child(): Logger {
    return this;
  }
}
