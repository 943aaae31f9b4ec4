/** Galleries and rows of buttons in HTML, as the containers of Markdown that show them the same. */
import type { Element, Root } from "hast";
import type { Link, Paragraph, PhrasingContent, RootContent } from "mdast";
import { toString } from "hast-util-to-string";
import type { Handle, State } from "hast-util-to-mdast";
import { phrasing } from "mdast-util-phrasing";
import { visit } from "unist-util-visit";
import { descendants, htmlNode, linkedImage, textOf } from "./html-nodes.js";

/** Elements of other systems, by a class, and the element that stands for them. */
const CLASSES: ReadonlyMap<unknown, string> = new Map([
  ["wp-block-gallery", "site-gallery"],
  ["kg-gallery-card", "site-gallery"],
  ["wp-block-buttons", "site-buttons"],
  ["kg-button-card", "site-buttons"],
]);
/** Content that stands beside pictures, not in a gallery. */
const OTHER = ["table", "blockquote", "pre", "iframe", "video", "audio"];

/** Names the elements that are galleries and rows of buttons in the system that they come from. */
export function markContainers(tree: Root): void {
  visit(tree, "element", (node: Element) => {
    const classes = node.properties["className"];
    const names = Array.isArray(classes) ? classes.flatMap((one) => CLASSES.get(one) ?? []) : [];
    const [name] = names;
    if (name !== undefined) node.tagName = name;
  });
}

/** Handlers of `hast-util-to-mdast` for the elements that `markContainers` names, which sources write too. */
export const containerHandlers: Record<string, Handle> = {
  "site-gallery": (state, node: Element) => gallery(state, node),
  "site-buttons": (state, node: Element) => buttons(state, node),
};

/** Two pictures or more side by side; the caption of all of them follows. */
function gallery(state: State, node: Element): RootContent[] {
  const images = descendants(node, ({ tagName }) => tagName === "img");
  const others = descendants(node, ({ tagName }) => OTHER.includes(tagName));
  if (images.length < 2 || others.length > 0) return state.toFlow(state.all(node));
  const figures = descendants(node, ({ tagName }) => tagName === "figure");
  const captions = descendants(node, ({ tagName }) => tagName === "figcaption");
  const figureOf = (part: Element): Element | undefined =>
    figures.findLast((one) => descendants(one, (inner) => inner === part).length > 0);
  const pictures = images.map((image) => {
    const figure = figureOf(image);
    const own = captions.filter((one) => figure !== undefined && figureOf(one) === figure);
    return linkedImage(node, image, own);
  });
  const shared = captions.filter((one) => figureOf(one) === undefined);
  const below = shared.flatMap((caption): RootContent[] => {
    const children = state.all(caption).filter(isPhrasing);
    return [{ type: "paragraph", children: [{ type: "emphasis", children }] }];
  });
  return [...container("gallery", pictures), ...below];
}

/** Links with nothing beside them. */
function buttons(state: State, node: Element): RootContent[] {
  const links = descendants(node, ({ tagName }) => tagName === "a").filter(
    (link) => textOf(link.properties["href"]) !== "" && toString(link).trim() !== "",
  );
  const words = (text: string): string => text.replaceAll(/\s+/g, "");
  const isAll = words(toString(node)) === words(links.map(toString).join(""));
  if (links.length === 0 || !isAll) return state.toFlow(state.all(node));
  return container(
    "buttons",
    links.map((link): Link => {
      const value = toString(link).trim().replaceAll(/\s+/g, " ");
      const url = textOf(link.properties["href"]);
      return { type: "link", url, title: null, children: [{ type: "text", value }] };
    }),
  );
}

/** Items on a line each. */
function container(name: string, items: readonly PhrasingContent[]): RootContent[] {
  const lines: Paragraph = {
    type: "paragraph",
    children: items.flatMap((item, at): PhrasingContent[] =>
      at === 0 ? [item] : [{ type: "text", value: "\n" }, item],
    ),
  };
  return [htmlNode(`::: ${name}`), lines, htmlNode(":::")];
}

function isPhrasing(node: RootContent): node is PhrasingContent {
  return phrasing(node);
}
