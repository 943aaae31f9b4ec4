/** The links of a content tree in memory, for tests of checks. */
import { ReferenceTargets } from "../../../plugins/check/resolve-reference.js";
import type { Link, Links } from "../../../plugins/check/link-graph.js";
import { scanReferences } from "../../../plugins/check/scan-references.js";
import type { PageEntry } from "../../../plugins/content/contract.js";
import { indexOf, viewOf, type Sources } from "../content/content-tree.js";

/** References of a tree; `media` lists the files beside its pages. */
export function referenceTargets(sources: Sources, media: readonly string[] = []) {
  const generation = indexOf(sources);
  const view = viewOf(generation, { viewer: { roles: null, seesUnpublished: true } });
  const mediaFile = async (folder: string, name: string) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    return media.includes(path) ? { file: `/site/content/${path}`, entry: null } : null;
  };
  const content = {
    mediaFile,
    addresses: {
      prefixOf: () => "",
      rootOf: () => "",
      urlOf: (route: string) => route,
      parse: (address: string) => ({ route: address, lang: null }),
      belowContent: (path: string) =>
        path.startsWith("docs/") ? path.slice("docs/".length) : null,
      fromRoot: (path: string) => `docs/${path}`,
      imageOf: () => null,
      redirectKey: (from: string) => from,
      redirectProblem: () => null,
    },
  };
  const isForeign = (path: string): boolean => path.startsWith("/api/");
  const targets = new ReferenceTargets({ content, generation, view, isForeign });
  return { generation, targets };
}

/** All links of a tree. */
export async function linksOf(sources: Sources, media: readonly string[] = []): Promise<Links> {
  const { generation, targets } = referenceTargets(sources, media);
  const all: Link[] = [];
  for (const from of generation.entries) {
    for (const scanned of scanReferences(sources[from.sourcePath] ?? "", from.bodyOffset)) {
      all.push({ from, scanned, resolved: await targets.resolve(from, scanned.target) });
    }
  }
  const by = (keyOf: (link: Link) => string | null): Map<string, Link[]> => {
    const groups = new Map<string, Link[]>();
    for (const link of all) {
      const key = keyOf(link);
      if (key !== null) groups.set(key, [...(groups.get(key) ?? []), link]);
    }
    return groups;
  };
  const target = ({ resolved }: Link): string | null =>
    resolved.kind === "page" ? resolved.entry.sourcePath : null;
  const from = by(({ from: { sourcePath } }) => sourcePath);
  return { generation, all, to: by(target), from, follow: targets.follow.bind(targets) };
}

/** A page of a tree, which must exist. */
export function entryOf(entries: readonly PageEntry[], sourcePath: string): PageEntry {
  const entry = entries.find((one) => one.sourcePath === sourcePath);
  if (entry === undefined) throw new Error(`there is no ${sourcePath}`);
  return entry;
}
