import type { Request } from "express";
import { CSP_HEADER, withCspSources } from "#lib/http";
import type { CspOptions, RequestContext } from "../../contracts.js";

/** Adds sources to the policy of a request's response; does nothing on a site without one. */
export function cspAdder(sources: CspOptions): (req: Request) => void {
  type Block = NonNullable<RequestContext["responseHeaders"]>;
  // The writer of responses prepares a block once: the same headers are the same object.
  const blocks = new WeakMap<Block, Block>();
  return (req) => {
    const { ctx } = req;
    const block = ctx.responseHeaders;
    const policy = block?.[CSP_HEADER];
    if (block === undefined || policy === undefined) return;
    const wider = blocks.get(block) ?? { ...block, [CSP_HEADER]: withCspSources(policy, sources) };
    blocks.set(block, wider);
    ctx.responseHeaders = wider;
    ctx.csp = sources;
  };
}
