import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/outline.json";
import en from "../../../locales/en/outline.json";

/** Texts of the outline. */
export const t = texts({ en, de });
