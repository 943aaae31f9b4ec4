/** What others may know of static exports: what an export reports. */

/** An answer of the site with what it was made of. */
export interface Asked {
  status: number;
  type: string;
  /** Text as it was made; bytes of what was streamed. */
  body: string | Buffer;
  headers: Readonly<Record<string, string>>;
  /** Read tags; null when the answer does not say what it depends on. */
  reads: ReadonlySet<string> | null;
  /** Unix ms. */
  expiresAt: number | null;
}
/** Asks the site without a port. Only on a site booted for an export. */
export interface StaticService {
  /** `target`: path and query as in a request line. */
  ask(target: string): Promise<Asked>;
  /** Shows unpublished pages to what is asked from now on. */
  showDrafts(): void;
}

/** A page that could not be exported, and why. */
export interface ExportFailure {
  /** Address on the site. */
  url: string;
  message: string;
}
/** A link to something that the export does not hold. */
export interface BrokenLink {
  /** Path that is linked to. */
  target: string;
  /** Pages that link to it, at most five. */
  from: string[];
}
/** A page that the export does not hold. */
export interface LeftOut {
  /** Path below `content/`. */
  page: string;
  reason: string;
}
/** What an export did (`build --static --json`). */
export interface ExportReport {
  /** False when a page failed, or links lead to nothing and the command does not allow that. */
  success: boolean;
  /** Folder of the export. */
  out: string;
  baseUrl: string;
  /** Files of the export. */
  files: number;
  /** Asked of the site in this run; the others were known to be up to date. */
  rendered: number;
  kept: number;
  /** Files that are new or have other bytes than before. */
  written: number;
  removed: number;
  /** Pages that only some visitors may read: left out. */
  gated: number;
  leftOut: LeftOut[];
  failures: ExportFailure[];
  broken: BrokenLink[];
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
  /** Which answers of the API are written as `api/….json`. */
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
