import { texts } from "../app/texts.js";
import de from "../locales/de/parts.json";
import en from "../locales/en/parts.json";

/** Texts of the form controls. */
export const t = texts({ en, de });
