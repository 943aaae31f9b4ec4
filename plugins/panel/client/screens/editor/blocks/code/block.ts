/** Code on lines of its own. */
import { SquareCode } from "lucide";
import { insertBlock } from "../../toolbar/formatting.js";
import type { EditorBlock } from "../block.js";
import { t } from "../block-texts.js";

const FENCE = "```";

/** Code on lines of its own. */
export const codeBlock: EditorBlock = {
  name: "code",
  entries: [
    {
      label: t("code"),
      hint: t("code.hint"),
      synonyms: "source program snippet fence quelltext programm ```",
      icon: SquareCode,
      group: "text",
      run: (view) => insertBlock(view, `${FENCE}\n\n${FENCE}`, FENCE.length + 1),
    },
  ],
};
