// Fast path: nothing to strip or decode in most addresses.
const PLAIN = /^\/(?:[\w./-]*[\w.-])?$/;

/** Normalizes a path for comparison: decoded, without a trailing slash. */
export function pageKey(url: string): string {
  if (PLAIN.test(url)) return url;
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const bare = path.length > 1 ? path.replace(/(?<!\/)\/+$/, "") : path;
  return decode(bare).normalize("NFC") || "/";
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
