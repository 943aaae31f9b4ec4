/** Containers of the Markdown plugin: parts that open, and tabs. */
import { ChevronRight, PanelTop } from "lucide";
import { insertBlock } from "../toolbar/formatting.js";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

/** Parts that open, and tabs. The first title is selected. */
export const containerBlock: EditorBlock = {
  name: "container",
  entries: [
    {
      label: t("details"),
      hint: t("details.hint"),
      synonyms: "toggle collapse accordion spoiler faq aufklappen klappen",
      icon: ChevronRight,
      group: "layout",
      run: (view) => {
        const title = t("details.title");
        const open = "::: details ";
        insertBlock(view, `${open}${title}\n\n:::`, open.length, title.length);
      },
    },
    {
      label: t("tabs"),
      hint: t("tabs.hint"),
      synonyms: "switch reiter karteikarten",
      icon: PanelTop,
      group: "layout",
      run: (view) => {
        const tab = (n: number): string => `::: tab ${t("tabs.title", { n })}\n\n:::`;
        const open = ":::: tabs\n::: tab ";
        const text = `:::: tabs\n${tab(1)}\n${tab(2)}\n::::`;
        insertBlock(view, text, open.length, t("tabs.title", { n: 1 }).length);
      },
    },
  ],
};
