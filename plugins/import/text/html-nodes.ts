/** Elements of HTML as nodes of Markdown. */
import type { Element, ElementContent } from "hast";
import type { Html, Image, PhrasingContent } from "mdast";
import { toString } from "hast-util-to-string";

/** Elements without content, which have no end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** HTML that the Markdown keeps. */
export function htmlNode(value: string): Html {
  return { type: "html", value };
}

/** The elements below one that a test is true for, in the order of the text. */
export function descendants(node: Element, isWanted: (node: Element) => boolean): Element[] {
  return node.children.flatMap((child: ElementContent) => {
    if (child.type !== "element") return [];
    return [...(isWanted(child) ? [child] : []), ...descendants(child, isWanted)];
  });
}

/** The value of an attribute; empty for one that is no text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/**
 * An image of `node` in the link around it, unless that leads to the image; its captions become the title, which the
 * site shows as caption.
 */
export function linkedImage(
  node: Element,
  image: Element,
  captions: readonly Element[],
): PhrasingContent {
  const caption = captions.map(toString).join(" ").replaceAll(/\s+/g, " ").trim();
  const shown = toImage(image, caption);
  const link = descendants(
    node,
    (one) => one.tagName === "a" && descendants(one, (inner) => inner === image).length > 0,
  )[0];
  const href = link === undefined ? "" : textOf(link.properties["href"]);
  if (href === "" || href === shown.url) return shown;
  return { type: "link", url: href, title: null, children: [shown] };
}

function toImage(node: Element, caption: string): Image {
  const { src, alt } = node.properties;
  const title = caption === "" ? null : caption;
  return { type: "image", url: textOf(src), alt: textOf(alt), title };
}
