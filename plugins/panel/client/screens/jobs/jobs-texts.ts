import { texts } from "../../app/texts.js";
import de from "../../locales/de/jobs.json";
import en from "../../locales/en/jobs.json";

/** Texts of the screen. */
export const t = texts({ en, de });
