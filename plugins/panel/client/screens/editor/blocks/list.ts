/** Lists. */
import { List, ListChecks, ListOrdered } from "lucide";
import { toggleLines } from "../toolbar/formatting.js";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

/** Lists. */
export const listBlock: EditorBlock = {
  name: "list",
  entries: [
    {
      label: t("list"),
      hint: t("list.hint"),
      synonyms: "bullet unordered ul points aufzählung punkte -",
      icon: List,
      group: "lists",
      run: toggleLines(() => "- "),
    },
    {
      label: t("numbers"),
      hint: t("numbers.hint"),
      synonyms: "ordered ol steps numbered nummeriert schritte 1.",
      icon: ListOrdered,
      group: "lists",
      run: toggleLines((at) => `${at + 1}. `),
    },
    {
      label: t("tasks"),
      hint: t("tasks.hint"),
      synonyms: "todo checkbox checklist aufgaben haken []",
      icon: ListChecks,
      group: "lists",
      run: toggleLines(() => "- [ ] "),
    },
  ],
};
