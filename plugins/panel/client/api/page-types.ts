import { call, type Answer } from "./request.js";

type Types = Answer<"GET /page-types">;
let types: Promise<Types> | null = null;

/** All page types and blocks; loaded once, until `invalidatePageTypes`. */
export function loadPageTypes(): Promise<Types> {
  types ??= call("GET /page-types");
  types.catch(() => {
    types = null;
  });
  return types;
}

/** Loads page types and blocks again when they are asked for: a file that describes them may have changed. */
export function invalidatePageTypes(): void {
  types = null;
}
