type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `Sec-Fetch-Dest` values of requests that a page makes, rather than a navigation. */
const PARTS: readonly string[] = ["image", "script", "style", "font", "iframe", "object", "empty"];
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** True for HEAD and declared prefetches, which must have no effect. */
export function isSpeculative({ method, headers }: { method: string; headers: Headers }): boolean {
  if (method === "HEAD") return true;
  return PURPOSES.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? "")));
}

/** True for a request made by a page itself: an image, a script, a frame, `fetch`. */
export function isSubresource({ headers }: { headers: Headers }): boolean {
  return PARTS.includes(String(headers["sec-fetch-dest"] ?? ""));
}
