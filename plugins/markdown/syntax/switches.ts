/** The switches of `markdown` in site.yaml: which of them a body needs, and the modules for these. */
import type { Root } from "mdast";
import type { Data } from "unified";
import type { SyntaxSettings } from "../contract.js";
import type { MathOptions } from "./math-styles.js";
import type { Extension } from "./shortcode-syntax.js";

/** The name of a syntax that can be switched off. */
export type Switch = keyof SyntaxSettings;

/**
 * Patterns that a body contains when it uses a syntax. Each is linear and cheap: most bodies need
 * few of them, and only these are loaded and run.
 */
const MARKS: Readonly<Record<Switch, RegExp>> = {
  alerts: /^[ \t>*+\d.)-]*>[ \t]*\[!/m,
  directives: /^[ \t>*+\d.)-]*:::/m,
  code_lines: /^[ \t>*+\d.)-]*(?:```|~~~)[^\n]*[[{:=\s]\S|\[!code /m,
  highlight: /^[ \t>*+\d.)-]*(?:```|~~~)[`~]*[ \t]*[\w{]|<code/m,
  math: /\$|^[ \t>*+\d.)-]*(?:```|~~~)math/m,
  mermaid: /^[ \t>*+\d.)-]*(?:```|~~~)[`~]*[ \t]*mermaid/m,
  emoji: /:[+\w-]{2,40}:/,
  mark: /==[^\s=]/,
  sub_sup: /[^\s~]~[^\s~]|\^[^\s^\]]/,
  toc: /^[ \t]*\[(?:\[_?toc_?\]|toc)\][ \t]*$/im,
  abbreviations: /^ {0,3}\*\[/m,
  figures: /!\[/,
  wiki_links: /\[\[/,
  margin_notes: /\[\^/,
};

/** The switches that are on and whose syntax the source may contain, sorted. */
export function neededSwitches(
  source: string,
  switches: Readonly<SyntaxSettings>,
): readonly Switch[] {
  const names = Object.keys(MARKS).sort() as Switch[];
  return names.filter((name) => switches[name] && MARKS[name].test(source));
}

type TreeExtension = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], unknown[]>;

/** Renders TeX to HTML. */
export type RenderMath = (tex: string, options: MathOptions) => string;

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
      import("./math.js"),
      import("./math.js"),
    ],
  );
  return { syntax: withStrictDollars(math()), tree: mathFromMarkdown(), render: renderMath };
}

async function loadEmoji(): Promise<(tree: Root) => void> {
  const { default: remarkGemoji } = await import("remark-gemoji");
  return remarkGemoji();
}
