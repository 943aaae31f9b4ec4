/** Imports a tree of another system into a small site, and follows every link of the result. */
import assert from "node:assert/strict";
import { decodeAddress } from "../../../lib/urls/index.js";
import type { TestSite } from "./boot-site.js";
import { bootEmpty, contentOf, runImport } from "./import-site.js";

/** A picture of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A tree, and the languages of the new site beside English. */
interface TreeOptions {
  readonly source: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly languages?: readonly string[];
}
/** A site with what was imported. */
interface ImportedTree {
  readonly site: TestSite;
  /** The lines of the report: `file: reason`. */
  readonly notes: readonly string[];
  readonly unresolved: number;
  /** Addresses of all pages. */
  readonly routes: readonly string[];
  /** The text of a file below `content/`. */
  text(path: string): Promise<string>;
  /** Status and target of an address: `301 /new`. */
  answer(address: string): Promise<string>;
  /** Links, anchors and images of the site's own pages that lead to nothing: `page: address`. */
  dead(): Promise<string[]>;
}

/** Imports a tree, calls `check`, and imports it again, which must change nothing. */
export async function withImported(
  { source, files, languages = [] }: TreeOptions,
  check: (tree: ImportedTree) => Promise<void>,
): Promise<void> {
  const below = Object.entries(files).map(([path, text]) => [`from/${path}`, text] as const);
  const supported = ["en", ...languages].join(", ");
  const site = await bootEmpty({
    "system.yaml": `languages: { supported: [${supported}], default: en }\n`,
    ...Object.fromEntries(below),
  });
  try {
    const { code, json } = await runImport(site, [source, "from"], { json: true });
    assert.equal(code, 0, JSON.stringify(json));
    const [report] = JSON.parse(JSON.stringify(json));
    const notes: { file: string; line?: number; reason: string }[] = report.notImported;
    const { entries } = site.site.context("check").use("content").generation();
    const routes = entries.map(({ url }) => url);
    await check({
      site,
      routes,
      notes: notes.map(({ file, reason }) => `${file}: ${reason}`),
      unresolved: report.links.unresolved,
      text: (path) => contentOf(site, path),
      answer: async (address) => {
        const { status, headers } = await site.fetch(address);
        return [status, headers.get("location") ?? ""].join(" ").trim();
      },
      dead: () => deadLinks(site, routes),
    });
    const again = JSON.stringify((await runImport(site, [source, "from"], { json: true })).json);
    assert.match(again, /"pages":\{"created":0,"unchanged":\d+,"skipped":0,"failed":0\}/);
    assert.match(again, /"media":\{"created":0,/);
  } finally {
    await site.close();
  }
}

/** Follows the links of these pages, each address once. */
async function deadLinks(site: TestSite, routes: readonly string[]): Promise<string[]> {
  const pages = new Map<string, Promise<{ status: number; html: string }>>();
  const load = (path: string): Promise<{ status: number; html: string }> => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const loaded = site
      .fetch(path, { redirect: "follow" })
      .then(async (answer) => ({ status: answer.status, html: await answer.text() }));
    pages.set(path, loaded);
    return loaded;
  };
  const dead: string[] = [];
  for (const route of routes) {
    const { status, html } = await load(route);
    if (status !== 200) continue;
    const [, main = ""] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? [];
    for (const [, address = ""] of main.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const target = new URL(
        address.replaceAll("&amp;", "&"),
        new URL(route, "http://site.invalid"),
      );
      if (target.host !== "site.invalid") continue;
      const page = await load(target.pathname + target.search);
      const id = decodeAddress(target.hash.slice(1));
      const hasAnchor = id === "" || page.html.includes(` id="${id}"`);
      if (page.status !== 200 || !hasAnchor) dead.push(`${route}: ${address}`);
    }
  }
  return dead;
}
