import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/review.json";
import en from "../../../locales/en/review.json";

/** Texts of reviews. */
export const t = texts({ en, de });
