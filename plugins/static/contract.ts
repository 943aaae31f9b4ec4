/** The public contract of static exports: the report of an export. */

/** A response of the site, with its dependencies. */
export interface SiteResponse {
  status: number;
  type: string;
  /** Text as rendered; bytes of a streamed body. */
  body: string | Buffer;
  headers: Readonly<Record<string, string>>;
  /** Read tags; null when the response does not declare its dependencies. */
  reads: ReadonlySet<string> | null;
  /** Unix ms. */
  expiresAt: number | null;
}
/**
 * Sends requests to the site without a port. Only on a site booted for an export.
 *
 * @example
 * if (site.lifecycle.purpose === "export") {
 *   const { status, body } = await site.use("static").request("/blog?page=2");
 *   site.log.info("export.page", { status, bytes: body.length });
 * }
 */
export interface StaticService {
  /** `target`: path and query as in a request line. */
  request(target: string): Promise<SiteResponse>;
  /** Shows unpublished pages in all further responses. */
  showDrafts(): void;
}

/** A page that could not be exported, and why. */
export interface ExportFailure {
  /** Address on the site. */
  url: string;
  message: string;
}
/** A link whose target is missing from the export. */
export interface BrokenLink {
  /** Path of the link target. */
  target: string;
  /** Pages that link to it, at most five. */
  from: string[];
}
/** A redirect whose target is missing from the export. */
export interface DeadRedirect {
  /** Path that redirects. */
  from: string;
  /** Path that it leads to. */
  to: string;
}
/** A page or redirect that is missing from the export. */
export interface LeftOut {
  /** Path below `content/`; `site.yaml` for a redirect. */
  page: string;
  reason: string;
}
/** The report of an export (`build --static --json`). */
export interface ExportReport {
  /** False when a page failed, or when there are broken links that the command does not allow. */
  success: boolean;
  /** Folder of the export. */
  out: string;
  baseUrl: string;
  /** Files of the export. */
  files: number;
  /** Rendered in this run; the other files were up to date. */
  rendered: number;
  kept: number;
  /** Files that are new or have changed. */
  written: number;
  removed: number;
  /** Number of omitted pages that only some visitors may read. */
  gated: number;
  leftOut: LeftOut[];
  failures: ExportFailure[];
  broken: BrokenLink[];
  /** They do not make the export fail. */
  deadRedirects: DeadRedirect[];
  elapsedMs: number;
  /** Milliseconds of each stage. */
  stages: Record<string, number>;
}
/** A difference between the running site and the export (`--check`). */
export interface ExportDifference {
  url: string;
  difference: string;
}

/** Section `static` of system.yaml. */
export interface StaticSection {
  /** Selects the API responses that are exported as `api/….json`. */
  api: "lists" | "pages" | "none";
}

declare module "#kernel" {
  interface Services {
    static: StaticService;
  }
  interface SystemSettings {
    static: StaticSection;
  }
}
