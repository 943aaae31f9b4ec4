/** A line between two parts. */
import { Minus } from "lucide";
import { insertBlock } from "../toolbar/formatting.js";
import { blockText as t, type EditorBlock } from "./block.js";

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
