// Nothing to take away, nothing to decode: most addresses.
const plain = /^\/(?:[\w./-]*[\w.-])?$/;

/** A path as addresses compare: decoded, without a slash at its end. */
export function pageKey(url: string): string {
  if (plain.test(url)) return url;
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const bare = path.length > 1 ? path.replace(/\/+$/, "") : path;
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
