/** The value of a JSON text; undefined when it is malformed, such as a line that a crash truncated. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
