import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/text-tools.json";
import en from "../../../locales/en/text-tools.json";

/** Texts of what is added to the text editor after it is drawn. */
export const t = texts({ en, de });
