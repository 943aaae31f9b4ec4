import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Asked } from "./contract.js";
import { diskErrorCode } from "./errors.js";
import { ownAddress, variantPath, type Place } from "./addresses.js";
import { isPage, outputPath } from "./output-path.js";
import { PageRewriter } from "./page-rewriter.js";
import type { FailureLog } from "./failure-log.js";

/** What is to be exported. */
export interface ExportJob {
  /** Path and query to ask the site for. */
  url: string;
  /** File below the export, where it is not the address that decides. */
  file?: string;
  /** Status that is wanted besides 200: the page of errors. */
  status?: number;
  /** Digest of the file that lies there: the same bytes are not written again. */
  known?: string;
}
/** What became of a job. */
export interface ExportOutcome {
  url: string;
  kind: "written" | "redirect" | "gated" | "missing" | "failed" | "nameless";
  message?: string;
  /** Of a redirect. */
  location?: string;
  status?: number;
  file?: string;
  /** Name in the folder of new files; absent when the bytes are those of before. */
  staged?: string;
  hash?: string;
  size?: number;
  mtimeMs?: number;
  reads?: string[] | null;
  expiresAt?: number | null;
  /** Variants of images that a page shows, as the site serves them. */
  variants?: string[];
  /** Paths a page leads to that this exporter has not told of before. */
  links?: string[];
  /** CSP sources of scripts and styles that stand in the page. */
  inline?: string[];
  /** Pages whose body could not be rendered, found since the last outcome. */
  problems?: { page: string; message: string }[];
}
/** What exporting a page needs. */
export interface PageExporterParts {
  asker: { ask(target: string): Promise<Asked> };
  place: Place;
  /** Folder of new files. */
  stage: string;
  /** Tells the files of several threads apart. */
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

/** Asks the site for pages and files, and writes what it answers as a static host serves it. */
export class PageExporter {
  readonly #parts: PageExporterParts;
  readonly #rewriter: PageRewriter;
  #count = 0;

  constructor(parts: PageExporterParts) {
    this.#parts = parts;
    this.#rewriter = new PageRewriter(parts.place);
  }

  /** Never throws for what a single page does; does for a disk that is full. */
  async export(job: ExportJob): Promise<ExportOutcome> {
    const outcome = await this.#export(job);
    const problems = this.#parts.failures.takeProblems();
    return problems.length === 0 ? outcome : { ...outcome, problems };
  }

  async #export(job: ExportJob): Promise<ExportOutcome> {
    const { asker, failures } = this.#parts;
    const path = job.url.split("?", 1)[0] ?? "";
    const asked = await asker.ask(job.url);
    const failure = failures.take(decodeURIComponent(path));
    const outcome = this.#refused(job, asked, failure);
    if (outcome !== null) return outcome;
    try {
      return this.#write(job, asked);
    } catch (error) {
      if (diskErrorCode(error) !== null) throw error;
      return { url: job.url, kind: "failed", message: messageOf(error) };
    }
  }

  #refused(job: ExportJob, asked: Asked, failure: string | null): ExportOutcome | null {
    const { url } = job;
    const { status } = asked;
    if (status === 200 || status === job.status) {
      return failure === null ? null : { url, kind: "failed", message: failure };
    }
    if (asked.headers["location"] !== undefined) return redirected(url, asked);
    const kind = KINDS[status] ?? "failed";
    const message = failure ?? `the site answers ${status}`;
    return kind === "failed" ? { url, kind, message } : { url, kind };
  }

  #write(job: ExportJob, asked: Asked): ExportOutcome {
    const { url } = job;
    const [path = ""] = url.split("?", 1);
    const variant = variantOf(url, this.#parts.place);
    const file = job.file ?? outputPath(variant ?? path, asked.type);
    if (file === null) return { url, kind: "nameless" };
    const made = this.#transform(path, asked);
    const hash = digest(made.body);
    const written = hash === job.known ? {} : this.#stage(made.body);
    const { reads, expiresAt } = asked;
    return {
      url,
      kind: "written",
      file,
      hash,
      size: Buffer.byteLength(made.body),
      reads: reads === null ? null : [...reads],
      expiresAt,
      ...written,
      ...made.found,
    };
  }

  #transform(path: string, { type, body }: Asked) {
    if (isPage(type)) {
      const text = body.toString();
      const { html, ...found } = this.#rewriter.rewrite(text, path);
      const head = this.#parts.searchHeads.get(path) ?? "";
      return { body: head === "" ? html : html.replace("</head>", () => `${head}</head>`), found };
    }
    if (type.startsWith("text/css")) {
      return { body: this.#rewriter.rewriteCss(body.toString()), found: {} };
    }
    return { body, found: {} };
  }

  #stage(body: string | Buffer): { staged: string; mtimeMs: number } {
    this.#count += 1;
    const staged = `${this.#parts.name}-${this.#count}`;
    // A small file is written four times as cheaply without promises, and nobody else waits here.
    const file = openSync(join(this.#parts.stage, staged), "w");
    try {
      writeFileSync(file, body);
      return { staged, mtimeMs: fstatSync(file).mtimeMs };
    } finally {
      closeSync(file);
    }
  }
}

function redirected(url: string, { status, headers }: Asked): ExportOutcome {
  const { location = "/" } = headers;
  const isLogin = location.startsWith("/auth/login?next=");
  return isLogin ? { url, kind: "gated" } : { url, kind: "redirect", location, status };
}

/** Digest of a file's bytes. */
export function digest(body: string | Buffer): string {
  return createHash("sha1").update(body).digest("base64url");
}

function variantOf(url: string, place: Place): string | null {
  const own = url.includes("?") ? ownAddress(url, "/", place) : null;
  return own === null ? null : variantPath(own);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
