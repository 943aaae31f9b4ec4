/** All blocks of the text, in the order of the slash menu; a plugin's blocks come last. */
import { Puzzle } from "lucide";
import type { PanelBlock } from "../../../../browser-contract.js";
import { extensions, report, type Part } from "../../../app/extensions.js";
import { insertBlock } from "../toolbar/formatting.js";
import type { EditorBlock, SlashEntry } from "./block.js";
import { buttonsBlock } from "./containers/buttons.js";
import { codeBlock } from "./code/block.js";
import { galleryBlock } from "./containers/gallery.js";
import { headingBlock } from "./heading.js";
import { linkBlock } from "./link.js";
import { listBlock } from "./list.js";
import { detailsBlock, noticeBlock } from "./containers/notice.js";
import { pictureBlock } from "./picture.js";
import { quoteBlock } from "./quote.js";
import { ruleBlock } from "./rule.js";
import { shortcodeBlock } from "./shortcode.js";
import { tableBlock } from "./table/block.js";
import { tabsBlock } from "./containers/tabs.js";

const BLOCKS: readonly EditorBlock[] = [
  headingBlock,
  listBlock,
  pictureBlock,
  galleryBlock,
  tableBlock,
  quoteBlock,
  noticeBlock,
  codeBlock,
  linkBlock,
  buttonsBlock,
  ruleBlock,
  detailsBlock,
  tabsBlock,
  shortcodeBlock,
];

/** The entries of the slash menu. */
export function slashEntries(): readonly SlashEntry[] {
  const foreign = extensions.value.flatMap(({ from, blocks = [] }) =>
    blocks.map((block) => foreignEntry({ from, ...block })),
  );
  return [...BLOCKS.flatMap(({ entries }) => entries), ...foreign];
}

/** The entry of a plugin's block; a failure in it is reported, and the text stays. */
function foreignEntry({
  from,
  label,
  hint = "",
  synonyms = "",
  icon,
  insert,
}: Part<PanelBlock>): SlashEntry {
  return {
    label,
    hint,
    synonyms,
    icon: icon === undefined ? Puzzle : [["path", { d: icon }]],
    group: "plugins",
    run: (view) => {
      try {
        const text = typeof insert === "function" ? insert() : insert;
        const mark = text.indexOf("$0");
        insertBlock(view, text.replace("$0", ""), mark === -1 ? text.length : mark);
      } catch (error) {
        report(from, error);
      }
    },
  };
}
