import type { Request } from "express";

export function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
