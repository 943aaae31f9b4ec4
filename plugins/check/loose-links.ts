/** Links that only the renderer resolves: in other letters, without a date or number, as other generators write them. */
import type { SiteContext } from "#kernel";
import type {} from "../markdown/contract.js";
import type { Link, Links } from "./link-graph.js";
import type { Resolved } from "./resolve-reference.js";

/** The links, with the pages that loose ones lead to. They are to be rewritten as paths of files. */
export async function withLooseLinks(site: Pick<SiteContext, "use">, links: Links): Promise<Links> {
  const from = new Map<string, readonly Link[]>();
  for (const [path, own] of links.from) from.set(path, await resolveLoosely(site, links, own));
  return { ...links, from };
}

async function resolveLoosely(
  site: Pick<SiteContext, "use">,
  links: Links,
  own: readonly Link[],
): Promise<readonly Link[]> {
  const markdown = site.use("markdown", { optional: true });
  const loose = own.filter(({ resolved }) => resolved.kind === "broken");
  const [first] = loose;
  if (markdown === undefined || first === undefined) return own;
  const targets = loose.map(({ scanned }) => scanned.target);
  const hrefs = await markdown.hrefs(first.from, targets);
  const found = new Map<Link, Resolved>();
  for (const [at, link] of loose.entries()) {
    const href = hrefs[at] ?? link.scanned.target;
    if (href === link.scanned.target) continue;
    const resolved = await links.follow(link.from, href);
    if (resolved.kind !== "page") continue;
    const { entry } = resolved;
    const suffix = suffixOf(link.scanned.target);
    found.set(link, { kind: "page", style: "loose", entry, path: entry.sourcePath, suffix });
  }
  return own.map((link) => ({ ...link, resolved: found.get(link) ?? link.resolved }));
}

/** Query and fragment, as written. */
function suffixOf(target: string): string {
  const written = target.trim();
  const start = written.search(/[?#]/);
  return start === -1 ? "" : written.slice(start);
}
