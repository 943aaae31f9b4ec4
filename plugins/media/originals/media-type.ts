import { mediaTypeOf } from "#lib/files";

/** Headers that depend only on a file's name. */
export interface MediaHeaders {
  readonly "Content-Type": string;
  readonly "X-Content-Type-Options": "nosniff";
  readonly "Content-Disposition"?: string;
  readonly "Content-Security-Policy"?: string;
}

/** Documents in which browsers run scripts: displayed in a sandbox with an opaque origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
// Displayed in the browser; all other types are downloads.
const INLINE =
  /^(?:image|audio|video|font)\/|^application\/(?:pdf|json|ogg)$|^text\/(?:plain|csv|vtt)$/;
const DOCUMENT = /^text\/(?:html|xml)$|[+/]xml$|^multipart\//;
/** Type, disposition and policy of a media file, by extension only. */
export function mediaHeaders(name: string): MediaHeaders {
  const type = mediaTypeOf(name);
  const nosniff = { "X-Content-Type-Options": "nosniff" } as const;
  if (DOCUMENT.test(type)) {
    return { "Content-Type": withCharset(type), ...nosniff, "Content-Security-Policy": SANDBOX };
  }
  if (INLINE.test(type)) return { "Content-Type": withCharset(type), ...nosniff };
  return { "Content-Type": type, ...nosniff, "Content-Disposition": attachment(name) };
}

function withCharset(type: string): string {
  return type.startsWith("text/") || type === "application/json" ? `${type}; charset=utf-8` : type;
}

// RFC 6266: an ASCII fallback and the exact name.
function attachment(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, "_");
  const exact = encodeURIComponent(name).replace(/['()*]/g, percent);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
