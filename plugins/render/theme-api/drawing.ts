/** The markup around an `<img>` of the site. */
export interface PictureParts {
  /** The `srcset` that the sources replace. */
  readonly srcset: string;
  /** False: the image is shown without `srcset`, because it cannot be resized. */
  readonly isResizable: boolean;
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
  /** The attribute `data-tone`: the colour that is shown until the image is loaded; null: none. */
  readonly tone: string | null;
}

/** Collects trusted markup while a document is rendered. */
export interface OpenParts {
  mark(html: string): string;
  /** The parts of the image at this URL; null for other images. */
  pictureOf(src: string): PictureParts | null;
  /** IANA zone of the site, for the days of moments. */
  readonly timezone: string;
}

const drawing: { parts: OpenParts | null } = { parts: null };

/**
 * Renders with `parts` open. Rendering is synchronous, so there is one document at a time. Not a
 * context of Preact: a provider per document would keep request data alive beyond young garbage
 * collections and make each of them ten times slower.
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

/** The parts of the document being rendered; null outside of one. */
export function openParts(): OpenParts | null {
  return drawing.parts;
}
