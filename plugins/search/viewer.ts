import type { RequestState } from "#kernel";
import type { Viewer } from "../content/contract.js";

const anonymous: Viewer = { roles: null, seesUnpublished: false };

/** Who searches, and at which moment. */
export function viewerOf({ ctx }: { readonly ctx: { readonly state: RequestState } }): Viewer {
  return ctx.state.viewer ?? anonymous;
}

/** True when the hits depend on the viewer. */
export function isPersonal(viewer: Viewer): boolean {
  return viewer.roles !== null || viewer.seesUnpublished;
}
