import { texts } from "../../app/texts.js";
import de from "../../locales/de/tokens.json";
import en from "../../locales/en/tokens.json";

/** Texts of the screen. */
export const t = texts({ en, de });
