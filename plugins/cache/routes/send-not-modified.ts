import type { Response } from "express";

/** Headers that a 304 repeats (RFC 9110, 15.4.5). */
const REPEATED = ["Cache-Control", "ETag", "Vary", "Expires"];

/** Sends 304 with the headers that caches need. */
export function sendNotModified(res: Response, headers: Readonly<Record<string, string>>): void {
  const repeated = Object.entries(headers).filter(([name]) => REPEATED.includes(name));
  res.writeHead(304, Object.fromEntries(repeated));
  res.end();
}
