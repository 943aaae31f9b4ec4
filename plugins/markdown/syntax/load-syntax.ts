/** Loads what only some bodies need: the tables of emoji, and the parser of math. */
import type { Root } from "mdast";
import type { Data } from "unified";
import type { Switch } from "./switches.js";
import type { Extension } from "./text-construct.js";

type TreeExtension = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], unknown[]>;

/** Renders TeX to HTML. */
export type RenderMath = (tex: string, options: { isDisplay: boolean }) => string;

/** Modules that a body needs; absent ones are not needed. */
export interface SyntaxModules {
  readonly math?: { syntax: Extension; tree: TreeExtension; render: RenderMath };
  readonly emoji?: (tree: Root) => void;
}

/** Loads the modules of these switches. The module system keeps them. */
export async function loadSyntax(needed: readonly Switch[] = []): Promise<SyntaxModules> {
  const [math, emoji] = await Promise.all([
    needed.includes("math") ? loadMath() : undefined,
    needed.includes("emoji") ? loadEmoji() : undefined,
  ]);
  return { ...(math && { math }), ...(emoji && { emoji }) };
}

/** True when a body needs modules that load asynchronously. */
export function needsModules(needed: readonly Switch[] = []): boolean {
  return needed.includes("math") || needed.includes("emoji");
}

async function loadMath(): Promise<NonNullable<SyntaxModules["math"]>> {
  const [{ math }, { mathFromMarkdown }, { withStrictDollars }, { renderMath }] = await Promise.all(
    [
      import("micromark-extension-math"),
      import("mdast-util-math"),
      import("./math-text.js"),
      import("./math-html.js"),
    ],
  );
  return { syntax: withStrictDollars(math()), tree: mathFromMarkdown(), render: renderMath };
}

async function loadEmoji(): Promise<(tree: Root) => void> {
  const { default: remarkGemoji } = await import("remark-gemoji");
  return remarkGemoji();
}
