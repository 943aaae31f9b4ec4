import { escapeHtml } from "#kernel";

/**
 * A complete HTML document, for sites without a plugin that renders pages. `body` is trusted HTML.
 */
export function builtInDocument(title: string, body: string): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)}</title></head><body><main>${body}</main></body></html>`,
  ].join("");
}
