/** Quotes, and GitHub alerts, which are quotes with a first line like `[!NOTE]`. */
import {
  CircleAlert,
  Info,
  Lightbulb,
  OctagonAlert,
  Quote,
  TriangleAlert,
  type IconNode,
} from "lucide";
import { insertBlock, toggleLines } from "../toolbar/formatting.js";
import type { EditorBlock, SlashEntry } from "./block.js";
import { t } from "./block-texts.js";

type Alert = "note" | "tip" | "important" | "warning" | "caution";

function alert(name: Alert, icon: IconNode, synonyms: string): SlashEntry {
  return {
    label: t(name),
    hint: t(`${name}.hint`),
    synonyms: `alert callout box hinweis kasten ${synonyms}`,
    icon,
    group: "layout",
    run: (view) => insertBlock(view, `> [!${name.toUpperCase()}]\n> `),
  };
}

/** Quotes and alerts. */
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
    alert("note", Info, "info information notiz"),
    alert("tip", Lightbulb, "advice tipp idee"),
    alert("important", CircleAlert, "wichtig"),
    alert("warning", TriangleAlert, "warnung achtung"),
    alert("caution", OctagonAlert, "danger vorsicht gefahr"),
  ],
};
