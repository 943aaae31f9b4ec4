/** Shortcodes that plugins of the site add to Markdown. */
import { ClipboardList, Puzzle, SquarePlay } from "lucide";
import { boot } from "../../../boot.js";
import { insertBlock } from "../toolbar/formatting.js";
import type { EditorBlock, SlashEntry } from "./block.js";
import { t } from "./block-texts.js";

/** Shortcodes whose purpose the panel knows; the others are named as they are written. */
const KNOWN: Readonly<Record<string, Pick<SlashEntry, "label" | "hint" | "synonyms" | "icon">>> = {
  embed: {
    label: t("embed"),
    hint: t("embed.hint"),
    synonyms: "video youtube vimeo mastodon codepen film einbetten",
    icon: SquarePlay,
  },
  form: {
    label: t("form"),
    hint: t("form.hint"),
    synonyms: "contact input kontakt formular",
    icon: ClipboardList,
  },
};

/** Name and icon of a shortcode. */
export function shortcodeFace(name: string): Pick<SlashEntry, "label" | "icon"> {
  const { label, icon } = knownOf(name) ?? { label: name, icon: Puzzle };
  return { label, icon };
}

function knownOf(name: string) {
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
}

function entryOf(name: string): SlashEntry {
  const known = knownOf(name);
  const open = name === "embed" ? `{{ ${name} "` : `{{ ${name} `;
  const close = name === "embed" ? '" }}' : "}}";
  return {
    label: name,
    hint: t("shortcode.hint", { name: `{{ ${name} }}` }),
    synonyms: "shortcode plugin",
    icon: Puzzle,
    ...known,
    group: name === "embed" ? "media" : "plugins",
    run: (view) => insertBlock(view, open + close, open.length),
  };
}

/** The shortcodes of the site. */
export const shortcodeBlock: EditorBlock = {
  name: "shortcode",
  entries: boot.shortcodes.map(({ name }) => entryOf(name)),
};
