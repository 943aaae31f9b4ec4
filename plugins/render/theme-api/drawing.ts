/** The markup around an `<img>` of the site. */
export interface PictureMarkup {
  /** The `srcset` that the sources replace. */
  readonly srcset: string;
  /** False: the image is shown without `srcset`, because it cannot be resized. */
  readonly isResizable: boolean;
  readonly sources: readonly { readonly type: string; readonly srcset: string }[];
  /** The attribute `data-tone`: the colour that is shown until the image is loaded; null: none. */
  readonly tone: string | null;
}

/** Collects trusted markup while a document is rendered. */
export interface Drawing {
  mark(html: string): string;
  /** The markup around the image at this URL; null for other images. */
  pictureOf(src: string): PictureMarkup | null;
  /** IANA zone of the site, for the days of moments. */
  readonly timezone: string;
}

const current: { drawing: Drawing | null } = { drawing: null };

/**
 * Renders a document with its drawing. Rendering is synchronous, so there is one document at a time. Not a
 * context of Preact: a provider per document would keep request data alive beyond young garbage
 * collections and make each of them ten times slower.
 */
export function drawWith<T>(drawing: Drawing | null, draw: () => T): T {
  const before = current.drawing;
  current.drawing = drawing;
  try {
    return draw();
  } finally {
    current.drawing = before;
  }
}

/** The drawing of the document that is rendered now; null outside of one. */
export function currentDrawing(): Drawing | null {
  return current.drawing;
}
