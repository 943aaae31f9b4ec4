import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { markdownLanguage } from "@codemirror/lang-markdown";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: tags.heading1, class: "md-heading md-h1" },
  { tag: tags.heading2, class: "md-heading md-h2" },
  { tag: tags.heading3, class: "md-heading md-h3" },
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-strike" },
  { tag: tags.monospace, class: "md-code" },
  { tag: tags.link, class: "md-link" },
  { tag: [tags.url, tags.processingInstruction, tags.meta], class: "md-mark" },
  { tag: tags.quote, class: "md-quote" },
]);

/** GitHub's Markdown, without the languages inside code blocks. */
export function markdownSupport(): Extension {
  return [markdownLanguage, syntaxHighlighting(style)];
}
