/** Brackets within brackets of an expression, more than anybody writes. */
const DEEPEST = 200;

/**
 * Throws a RangeError for MDX whose expressions nest too deeply: their parser recurses. Counts the
 * brackets from a brace to the one that closes it, whatever they stand in.
 */
export function assertShallowExpressions(source: string): void {
  let braces = 0;
  let depth = 0;
  for (const [bracket] of source.matchAll(/[{}[\]()]/g)) {
    if (bracket === "{") braces += 1;
    else if (bracket === "}") braces = Math.max(0, braces - 1);
    // Outside of braces brackets are text.
    depth = braces === 0 ? 0 : Math.max(braces, depth + ("{[(".includes(bracket) ? 1 : -1));
    if (depth > DEEPEST) {
      throw new RangeError(`the expressions are nested deeper than ${DEEPEST} levels`);
    }
  }
}
