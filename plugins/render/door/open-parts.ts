/** Where trusted markup can be left while a document is drawn. */
export interface OpenParts {
  mark(html: string): string;
}

const drawing: { parts: OpenParts | null } = { parts: null };

/**
 * Draws with `parts` open. Drawing is synchronous, so there is one document at a time. Not a context
 * of Preact: a provider is made for each document, and with it everything a request has touched
 * outlives the collections of young garbage, which makes each of them ten times as long.
 */
export function drawWith<T>(parts: OpenParts | null, draw: () => T): T {
  const before = drawing.parts;
  drawing.parts = parts;
  try {
    return draw();
  } finally {
    drawing.parts = before;
  }
}

/** The parts of the document that is being drawn; null outside of one. */
export function openParts(): OpenParts | null {
  return drawing.parts;
}
