/** Quotation marks of the page's language in place of straight ones, while they are typed. */
import { isolateHistory } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";

/** Opening and closing marks, and those inside of them. */
type Marks = readonly [open: string, close: string, innerOpen: string, innerClose: string];

const LOW_HIGH: Marks = ["„", "“", "‚", "‘"];
const ENGLISH: Marks = ["“", "”", "‘", "’"];
const GUILLEMETS: Marks = ["«", "»", "“", "”"];
const LANGUAGES: Readonly<Record<string, Marks>> = {
  bg: ["„", "“", "’", "’"],
  cs: LOW_HIGH,
  da: ENGLISH,
  de: LOW_HIGH,
  "de-ch": ["«", "»", "‹", "›"],
  el: GUILLEMETS,
  en: ENGLISH,
  es: GUILLEMETS,
  et: LOW_HIGH,
  fi: ["”", "”", "’", "’"],
  // With the narrow spaces that do not break.
  fr: ["«\u202F", "\u202F»", "“", "”"],
  "fr-ch": ["«", "»", "‹", "›"],
  hr: ["„", "“", "‘", "’"],
  hu: ["„", "”", "»", "«"],
  is: LOW_HIGH,
  it: GUILLEMETS,
  lt: LOW_HIGH,
  lv: LOW_HIGH,
  nb: ["«", "»", "‘", "’"],
  nn: ["«", "»", "‘", "’"],
  no: ["«", "»", "‘", "’"],
  pl: ["„", "”", "»", "«"],
  pt: GUILLEMETS,
  "pt-br": ENGLISH,
  ro: ["„", "”", "«", "»"],
  ru: ["«", "»", "„", "“"],
  sk: LOW_HIGH,
  sl: LOW_HIGH,
  sr: ["„", "“", "’", "’"],
  sv: ["”", "”", "’", "’"],
  uk: ["«", "»", "„", "“"],
};

/** The marks of a language by its code; those of English for an unknown one. */
function marksOf(language: string): Marks {
  const code = language.toLowerCase().replace("_", "-");
  return LANGUAGES[code] ?? LANGUAGES[code.split("-")[0] ?? ""] ?? ENGLISH;
}

const APOSTROPHE = "’";
/** Nodes whose text is not prose. */
const VERBATIM =
  /^(?:InlineCode|FencedCode|CodeBlock|HTMLTag|HTMLBlock|Comment|CommentBlock|ProcessingInstruction|ProcessingInstructionBlock|URL|LinkTitle|LinkReference|Autolink|LinkLabel)$/;
/** Before the cursor: a tag, braces of a shortcode or of attributes, the target of a link, a container, a definition. */
const OPEN = /<[a-z/!][^>]*$|\{[^}]*$|\]\([^)]*$|^\s*:{3,}|^\s*\[[^\]]*\]:|\\$/i;

/** The mark for a straight one that is typed at a position; null where straight marks belong. */
export function quoteFor(
  state: EditorState,
  position: number,
  typed: '"' | "'",
  language: string,
): string | null {
  const line = state.doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  if (isVerbatim(state, position, before)) return null;
  const [open, close, innerOpen, innerClose] = marksOf(language);
  const isOpening =
    /(?:^|[\s([{>*_~\u2013\u2014/„“‚‘«‹»”-])$/.test(before) && !/\S[»”]$/.test(before);
  if (typed === "'") {
    if (/[\p{L}\p{N}]$/u.test(before) && !hasOpen(before, innerOpen, innerClose)) return APOSTROPHE;
    return isOpening ? innerOpen : innerClose;
  }
  return isOpening ? open : close;
}

/** True where marks are no punctuation: in code, HTML, shortcodes, addresses. */
function isVerbatim(state: EditorState, position: number, before: string): boolean {
  if (OPEN.test(before) || (before.match(/`/g) ?? []).length % 2 === 1) return true;
  let isItem = false;
  const start = position - before.length;
  // The first character of a line belongs to the HTML above it.
  const at = before.trim() === "" && start > 0 ? start - 1 : position;
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1);
  while (node !== null) {
    // The end of what is closed is behind it.
    const isInside = node.to > position || /Block$|FencedCode/.test(node.name);
    if (VERBATIM.test(node.name) && isInside) return true;
    isItem ||= node.name === "ListItem";
    node = node.parent;
  }
  // Four spaces begin code, and continue items of a list.
  return !isItem && /^(?: {4}|\t)\s*$/.test(before);
}

/** True after an opening mark without its closing one. */
function hasOpen(before: string, open: string, close: string): boolean {
  return open !== close && before.lastIndexOf(open) > before.lastIndexOf(close);
}

/** The extension; one undo restores the straight mark. */
export function typographicQuotes(language: () => string): Extension {
  return EditorView.inputHandler.of((view, from, to, text) => {
    if ((text !== '"' && text !== "'") || view.composing) return false;
    const insert = quoteFor(view.state, from, text, language());
    if (insert === null) return false;
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + 1 },
      userEvent: "input.type",
    });
    view.dispatch({
      changes: { from, to: from + 1, insert },
      selection: { anchor: from + insert.length },
      annotations: isolateHistory.of("full"),
      scrollIntoView: true,
      userEvent: "input.type.quote",
    });
    return true;
  });
}
