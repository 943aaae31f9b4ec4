import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/cards.json";
import en from "../../../locales/en/cards.json";

/** Texts of the cards of search engines and other sites. */
export const t = texts({ en, de });
