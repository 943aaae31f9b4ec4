import { h } from "preact";
import type { VNode } from "preact";
import { openParts } from "./open-parts.js";

/** Props of `Html`. */
interface HtmlProps {
  /** Trusted markup: a rendered page, never a visitor's input. */
  html: string;
  /** Tag name of the element; default `div`. */
  as?: string;
  [attribute: string]: unknown;
}

/** Renders trusted HTML inside an element. */
export function Html({ html, as = "div", ...attributes }: HtmlProps): VNode {
  const parts = openParts();
  const markup = parts === null ? html : parts.mark(html);
  return h(as, { ...attributes, dangerouslySetInnerHTML: { __html: markup } });
}
