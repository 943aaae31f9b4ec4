import { HttpError, type RequestState } from "#kernel";
import type { Viewer } from "../content/contract.js";

const anonymous: Viewer = { roles: null, seesUnpublished: false };

/**
 * Who searches.
 * @throws HttpError 422 at another moment, whose content is not in the index.
 */
export function viewerOf({ ctx }: { readonly ctx: { readonly state: RequestState } }): Viewer {
  const viewer = ctx.state.viewer ?? anonymous;
  if (viewer.moment === undefined) return viewer;
  const message = "search finds the present content only; leave this moment to search";
  throw new HttpError(422, message, { code: "ERR_SEARCH_MOMENT" });
}

/** True when the hits depend on the viewer. */
export function isPersonal(viewer: Viewer): boolean {
  return viewer.roles !== null || viewer.seesUnpublished;
}
