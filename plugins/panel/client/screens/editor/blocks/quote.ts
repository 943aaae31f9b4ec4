/** Quotes. */
import { Quote } from "lucide";
import { toggleLines } from "../toolbar/formatting.js";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

/** Quotes. */
export const quoteBlock: EditorBlock = {
  name: "quote",
  entries: [
    {
      label: t("quote"),
      hint: t("quote.hint"),
      synonyms: "blockquote citation zitat >",
      icon: Quote,
      group: "text",
      run: toggleLines(() => "> "),
    },
  ],
};
