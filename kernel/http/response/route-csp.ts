import type { Request } from "express";
import type { CspOptions } from "../../contracts.js";
import type { InternalContext } from "./internals.js";

/** Name of the header. */
export const CSP_HEADER = "Content-Security-Policy";

/**
 * A policy with more sources. A directive that it lacks starts with the sources of `default-src`, which
 * browsers apply to it; `'none'` gives way to other sources.
 */
export function withCspSources(policy: string, sources: CspOptions): string {
  const directives = new Map(
    policy.split(";").flatMap((text) => {
      const [name, ...values] = text.trim().split(/\s+/);
      return name ? [[name, values] as const] : [];
    }),
  );
  for (const [name, added] of Object.entries(sources)) {
    const inherited = name.endsWith("-src") ? directives.get("default-src") : undefined;
    const known = directives.get(name) ?? inherited ?? [];
    directives.set(name, [...new Set([...known.filter((one) => one !== "'none'"), ...added])]);
  }
  return [...directives].map(([name, values]) => [name, ...values].join(" ")).join("; ");
}

/** Adds sources to the policy of a request's response; does nothing on a site without one. */
export function cspAdder(sources: CspOptions): (req: Request) => void {
  type Block = NonNullable<InternalContext["responseHeaders"]>;
  // The writer of responses prepares a block once: the same headers are the same object.
  const blocks = new WeakMap<Block, Block>();
  return (req) => {
    const ctx: InternalContext = req.ctx;
    const block = ctx.responseHeaders;
    const policy = block?.[CSP_HEADER];
    if (block === undefined || policy === undefined) return;
    const wider = blocks.get(block) ?? { ...block, [CSP_HEADER]: withCspSources(policy, sources) };
    blocks.set(block, wider);
    ctx.responseHeaders = wider;
    ctx.csp = sources;
  };
}
