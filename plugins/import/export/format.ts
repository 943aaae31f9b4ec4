/** What a format of exports gets and returns. */
import type { SiteContext } from "#kernel";
import type { ExportReport } from "../contract.js";
import type { Picked } from "./pick-pages.js";

/** What formats get. */
export interface ExportInput {
  readonly site: SiteContext;
  readonly picked: Picked;
  readonly out: string;
  readonly below: string | null;
  readonly includesDrafts: boolean;
  /** Called after each page. */
  tick(): void;
}
/** What formats count. */
export type Written = Pick<ExportReport, "pages" | "media" | "records" | "redirects" | "notes">;
/** A format of exports. */
export interface ExportFormat {
  readonly kind: "file" | "folder";
  write(input: ExportInput): Promise<Written>;
}
