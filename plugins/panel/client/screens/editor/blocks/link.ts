/** Links to pages, addresses and files. */
import { Link, Paperclip } from "lucide";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

/** Links to pages, addresses and files. */
export const linkBlock: EditorBlock = {
  name: "link",
  entries: [
    {
      label: t("link"),
      hint: t("link.hint"),
      synonyms: "url address page verweis adresse seite",
      icon: Link,
      group: "media",
      run: (_view, { onLink }) => onLink(),
    },
    {
      label: t("file"),
      hint: t("file.hint"),
      synonyms: "download pdf attachment datei anhang",
      icon: Paperclip,
      group: "media",
      run: (_view, { onLink }) => onLink(),
    },
  ],
};
