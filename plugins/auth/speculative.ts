type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What a browser fetches for a page it shows, rather than because somebody went there. */
const PARTS: readonly string[] = ["image", "script", "style", "font", "iframe", "object", "empty"];
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** True for HEAD and for a declared prefetch: nobody has asked for anything to happen. */
export function isSpeculative({ method, headers }: { method: string; headers: Headers }): boolean {
  if (method === "HEAD") return true;
  return PURPOSES.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? "")));
}

/** True for a request that a page makes by itself: a picture, a script, a frame, `fetch`. */
export function isSubresource({ headers }: { headers: Headers }): boolean {
  return PARTS.includes(String(headers["sec-fetch-dest"] ?? ""));
}
