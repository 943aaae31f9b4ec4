import { defaultTreeAdapter, type DefaultTreeAdapterMap } from "parse5";
import type { Processor } from "unified";

/** Levels of a body's tree, far more than any page for people has. */
const DEEPEST = 200;

type Element = DefaultTreeAdapterMap["element" | "template"];

/** A node of Markdown's tree or of HTML's. */
interface TreeNode {
  readonly type: string;
  readonly children?: readonly TreeNode[];
}

/**
 * Throws a RangeError when a tree is nested too deeply for what recurses over it. A stack that is
 * nearly used up does not only throw: a regular expression compiled there ends the whole process.
 */
export function assertShallow(tree: TreeNode): void {
  let level: readonly TreeNode[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw tooDeep();
    level = parentsBelow(level);
  }
}

/** The last plugin of a parser of Markdown: refuses a deep tree first of all, as every transform recurses. */
export function shallowOnly(this: Processor): void {
  const data = this.data();
  const extensions = data.fromMarkdownExtensions ?? [];
  data.fromMarkdownExtensions = [{ transforms: [assertShallow] }, ...extensions];
}

function parentsBelow(level: readonly TreeNode[]): TreeNode[] {
  const parents: TreeNode[] = [];
  for (const { children = [] } of level) {
    for (const child of children) if (child.children !== undefined) parents.push(child);
  }
  return parents;
}

/**
 * Runs a parser of HTML that ends with a RangeError as soon as too many elements are open: what
 * makes a tree of hast of what it has built recurses, before there is anything to look at.
 */
export function parseShallow<T>(parse: () => T): T {
  // No cache: depths of the nodes of one parse.
  const depths = new WeakMap<object, number>();
  defaultTreeAdapter.onItemPush = (element: Element) => {
    const depth = (depths.get(element.parentNode ?? element) ?? 0) + 1;
    if (depth > DEEPEST) throw tooDeep();
    depths.set(element, depth);
    // What a template holds has no parent.
    if ("content" in element) depths.set(element.content, depth);
  };
  try {
    return parse();
  } finally {
    delete defaultTreeAdapter.onItemPush;
  }
}

function tooDeep(): RangeError {
  return new RangeError(`the body is nested deeper than ${DEEPEST} levels`);
}
