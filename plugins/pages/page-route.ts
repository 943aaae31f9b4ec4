import { HttpError } from "#kernel";
import type { ContentView, PageEntry } from "../content/contract.js";

/** What a path below `/api/pages/` asks for. */
export interface PageTarget {
  entry: PageEntry;
  part: "page" | "children" | "media";
}

/**
 * The page, or the sub-resource of a page, at a path. A page whose last segment is `children` or
 * `media` wins over the sub-resource (decisions: REST API).
 * @throws HttpError 404 for an absent page, 401 or 403 for one that is gated.
 */
export function findTarget(view: ContentView, route: string): PageTarget {
  const exact = lookup(view, route);
  if (exact.entry) return { entry: exact.entry, part: "page" };
  const [, base, part] = SUB_RESOURCE.exec(route) ?? [];
  if (base === undefined) throw exact.error ?? notFound();
  const parent = lookup(view, base === "" ? "/" : base);
  if (!parent.entry) throw exact.error ?? parent.error ?? notFound();
  return { entry: parent.entry, part: part === "media" ? "media" : "children" };
}

const SUB_RESOURCE = /^(.*)\/(children|media)$/;

function notFound(): HttpError {
  return new HttpError(404, "Not found");
}

function lookup(view: ContentView, route: string): { entry?: PageEntry; error?: HttpError } {
  const match = view.resolve(route);
  if (match.kind === "page" && match.pageNumber === 1) return { entry: match.entry };
  if (match.kind !== "gated") return {};
  return {
    error:
      match.need === "login"
        ? new HttpError(401, "log in to read this page")
        : new HttpError(403, "you may not read this page"),
  };
}
