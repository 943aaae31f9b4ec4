import { json, sourceUrl } from "./request.js";

/** A page in one language of the site. */
export interface PageTranslation {
  readonly lang: string;
  readonly state: "original" | "translated" | "outdated" | "missing";
  /** Where its file is, or would be. */
  readonly sourcePath: string;
  /** Null when it is missing. */
  readonly title: string | null;
  readonly status: string | null;
}
/** A page in every language of the site. */
export interface PageTranslations {
  /** The language of the page. */
  readonly lang: string;
  /** `translated_from` of translations of the current original; null without an original. */
  readonly stamp: string | null;
  /** The default language first. */
  readonly items: readonly PageTranslation[];
}

/** The languages of a page. @throws ApiError 404 without the plugin `check`. */
export function pageTranslations(path: string): Promise<PageTranslations> {
  return json(sourceUrl("/translations", path), { isBackground: true });
}

/** Creates the file of a translation. */
export function createTranslation(path: string, content: string): Promise<unknown> {
  return json("/pages", { method: "POST", body: { path, content } });
}
