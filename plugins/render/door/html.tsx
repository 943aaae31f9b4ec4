import { h } from "preact";
import type { VNode } from "preact";

interface HtmlProps {
  /** Trusted markup: a rendered page, never a visitor's input. */
  html: string;
  /** Element around it; default `div`. */
  as?: string;
  [attribute: string]: unknown;
}

/** Trusted HTML inside an element. */
export function Html({ html, as = "div", ...attributes }: HtmlProps): VNode {
  return h(as, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}
