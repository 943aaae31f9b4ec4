import de from "../../locales/de/pages.json";
import en from "../../locales/en/pages.json";
import { texts } from "../../app/texts.js";

/** Texts of the list of pages. */
export const t = texts({ en, de });
