import { h } from "preact";
import type { VNode } from "preact";
import { openParts } from "./open-parts.js";

interface HtmlProps {
  /** Trusted markup: a rendered page, never a visitor's input. */
  html: string;
  /** Element around it; default `div`. */
  as?: string;
  [attribute: string]: unknown;
}

/** Trusted HTML inside an element. */
export function Html({ html, as = "div", ...attributes }: HtmlProps): VNode {
  const parts = openParts();
  const markup = parts === null ? html : parts.mark(html);
  return h(as, { ...attributes, dangerouslySetInnerHTML: { __html: markup } });
}
