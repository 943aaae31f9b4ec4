import { defaultTreeAdapter, type DefaultTreeAdapterMap } from "parse5";
import type { Processor } from "unified";

/** Maximum depth of a body's tree. */
const MAX_DEPTH = 200;

type Element = DefaultTreeAdapterMap["element" | "template"];

/** A node of a Markdown or HTML tree. */
interface TreeNode {
  readonly type: string;
  readonly children?: readonly TreeNode[];
}

/**
 * A nearly exhausted stack does not only throw: compiling a regular expression there crashes the
 * process.
 * @throws RangeError when a tree is nested too deeply for recursion.
 */
export function assertShallow(tree: TreeNode): void {
  let level: readonly TreeNode[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw tooDeep();
    level = parentsBelow(level);
  }
}

/**
 * The last plugin of a Markdown parser: rejects a deep tree before any transform recurses over it.
 */
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
 * Runs an HTML parser and aborts with a RangeError as soon as too many elements are open:
 * converting its result to hast recurses before the tree can be checked.
 */
export function parseShallow<T>(parse: () => T): T {
  // No cache: depths of the nodes of one parse.
  const depths = new WeakMap<object, number>();
  defaultTreeAdapter.onItemPush = (element: Element) => {
    const depth = (depths.get(element.parentNode ?? element) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw tooDeep();
    depths.set(element, depth);
    // The content of a template has no parent.
    if ("content" in element) depths.set(element.content, depth);
  };
  try {
    return parse();
  } finally {
    delete defaultTreeAdapter.onItemPush;
  }
}

function tooDeep(): RangeError {
  return new RangeError(`the body is nested deeper than ${MAX_DEPTH} levels`);
}
