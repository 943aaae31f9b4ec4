import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/blocks.json";
import en from "../../../locales/en/blocks.json";

/** Texts of blocks; loaded with the menu, or with the first block that is drawn. */
export const t = texts({ en, de });
