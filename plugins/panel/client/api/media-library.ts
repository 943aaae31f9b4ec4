import { call, type Query } from "./request.js";
import type { Library, LibraryItem } from "./types.js";

/** Files of the whole site by path, and all folders. */
export async function listLibrary(query: Omit<Query<"GET /media">, "path">): Promise<Library> {
  const answer = await call("GET /media", { query });
  if ("folders" in answer) return answer;
  throw new Error("the response is not that of the whole site");
}

/** The file with this path; null when it does not exist. */
export async function findInLibrary(path: string): Promise<LibraryItem | null> {
  const { items } = await listLibrary({ q: path, limit: 500 });
  return items.find((item) => item.path === path) ?? null;
}
