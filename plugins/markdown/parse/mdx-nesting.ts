/** Maximum depth of nested brackets in an expression. */
const MAX_DEPTH = 200;

/**
 * Counts the brackets from each brace to the one that closes it, wherever they occur.
 * @throws RangeError for expressions nested too deeply, because their parser recurses.
 */
export function assertShallowExpressions(source: string): void {
  let braces = 0;
  let depth = 0;
  for (const [bracket] of source.matchAll(/[{}[\]()]/g)) {
    if (bracket === "{") braces += 1;
    else if (bracket === "}") braces = Math.max(0, braces - 1);
    // Brackets outside of braces are text.
    depth = braces === 0 ? 0 : Math.max(braces, depth + ("{[(".includes(bracket) ? 1 : -1));
    if (depth > MAX_DEPTH) {
      throw new RangeError(`the expressions are nested deeper than ${MAX_DEPTH} levels`);
    }
  }
}
