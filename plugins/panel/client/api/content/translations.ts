import { json, sourceUrl } from "../request.js";
import type { PageTranslations } from "../../../../check/contract.js";

export type { PageTranslation, PageTranslations } from "../../../../check/contract.js";

/** The languages of a page. @throws ApiError 404 without the plugin `check`. */
export function pageTranslations(path: string): Promise<PageTranslations> {
  return json(sourceUrl("/translations", path), { isBackground: true });
}

/** Creates the file of a translation. */
export function createTranslation(path: string, content: string): Promise<unknown> {
  return json("/pages", { method: "POST", body: { path, content } });
}
