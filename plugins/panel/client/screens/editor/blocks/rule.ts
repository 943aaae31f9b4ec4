/** A line between two parts. */
import { Minus } from "lucide";
import { insertBlock } from "../toolbar/formatting.js";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

/** A line between two parts. */
export const ruleBlock: EditorBlock = {
  name: "rule",
  entries: [
    {
      label: t("rule"),
      hint: t("rule.hint"),
      synonyms: "divider separator hr horizontal linie trenner ---",
      icon: Minus,
      group: "layout",
      run: (view) => insertBlock(view, "---"),
    },
  ],
};
