/** Paragraphs and headings. */
import { Heading2, Heading3, Heading4, Pilcrow } from "lucide";
import { toggleLines } from "../toolbar/formatting.js";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

const heading = (prefix: string) => toggleLines(() => prefix);

/** Paragraphs and headings. */
export const headingBlock: EditorBlock = {
  name: "heading",
  entries: [
    {
      label: t("text"),
      hint: t("text.hint"),
      synonyms: "paragraph plain absatz text normal",
      icon: Pilcrow,
      group: "text",
      run: (view) => view.focus(),
    },
    {
      label: t("heading2"),
      hint: t("heading2.hint"),
      synonyms: "h2 title section überschrift titel abschnitt ##",
      icon: Heading2,
      group: "text",
      run: heading("## "),
    },
    {
      label: t("heading3"),
      hint: t("heading3.hint"),
      synonyms: "h3 subtitle subheading überschrift unterabschnitt ###",
      icon: Heading3,
      group: "text",
      run: heading("### "),
    },
    {
      label: t("heading4"),
      hint: t("heading4.hint"),
      synonyms: "h4 subheading überschrift ####",
      icon: Heading4,
      group: "text",
      run: heading("#### "),
    },
  ],
};
