import type { Request } from "express";

export function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** True when a cookie of a session or a token identifies the visitor; such requests bypass the cache. */
export function hasCredentials({ headers: { authorization, cookie } }: Request): boolean {
  return authorization !== undefined || (cookie !== undefined && cookie.includes("site_"));
}
