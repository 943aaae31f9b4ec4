import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import type { TestSite } from "../sites/boot-site.js";
import { WORDS } from "./page-texts.js";

const PATHS = [
  "/",
  "/api/pages?limit=100",
  "/api/nav",
  "/api/taxonomy",
  "/api/taxonomy/tag",
  "/sitemap.xml",
  "/feed.xml",
  "/feed.json",
  "/alias-0",
  "/alias-1",
  "/api/flex/product",
  ...WORDS.map((word) => `/api/search?q=${word}&limit=50`),
  ...WORDS.map((word) => `/api/taxonomy/tag/${word}`),
];

/** The whole observable state of a site by request: its index, then its responses. */
export async function stateOf(site: TestSite): Promise<Map<string, unknown>> {
  const content = site.site.use("content");
  const { entries, problems } = content.generation();
  const state = new Map<string, unknown>([
    ...entries.map((entry) => [entry.sourcePath, entry] as const),
    ["order", entries.map(({ sourcePath }) => sourcePath)],
    ["problems", problems],
  ]);
  const urls = entries.filter(({ routable }) => routable).map(({ url }) => url);
  const media: string[] = [];
  for (const { folder } of entries) {
    for (const item of await content.media(folder)) media.push(item.url);
  }
  const routes = urls.flatMap((url) => [url, `/api/pages${url === "/" ? "/" : url}`]);
  for (const path of new Set([...PATHS, ...routes, ...media]))
    state.set(path, await answer(site, path));
  // A first search waits for the index.
  state.set("documents", site.site.use("search").state().documents);
  return state;
}

/** Status, target and body, without parts that differ between sites. */
export async function answer(site: TestSite, path: string): Promise<string> {
  const response = await site.fetch(path);
  const { status, headers } = response;
  const received = { location: headers.get("location") ?? "" };
  return shown({ status, headers: received, text: await response.text() }, site.url);
}

/** Status, target and body of a response from `url`, without parts that differ between sites. */
export function shown(
  { status, headers, text }: { status: number; headers: { location?: string }; text: string },
  url: string,
): string {
  const body = text.replaceAll(url, "").replace(/nonce="[^"]*"/g, "");
  return `${status} ${headers.location ?? ""} ${body}`;
}

/** The differences of two states; null when they are equal. */
export function difference(
  running: ReadonlyMap<string, unknown>,
  fresh: ReadonlyMap<string, unknown>,
): string | null {
  for (const [key, expected] of fresh) {
    const [a, b] = [running.get(key), expected].map(
      (value) => JSON.stringify(value, null, 1) ?? "",
    );
    if (a === b) continue;
    return `${key}\n${firstDifference(a ?? "", b ?? "")}`;
  }
  const more = [...running.keys()].find((key) => !fresh.has(key));
  return more === undefined ? null : `${more} exists only on the running site`;
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 300);
  return `running: …${a.slice(from, at + 200)}\nfresh:   …${b.slice(from, at + 200)}`;
}

/** A copy of a site's root, times and links included, without caches. */
export function copyRoot(root: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  // A running site creates and removes locks below `.dune`.
  const names = readdirSync(root).filter((name) => ![".dune", "dist"].includes(name));
  execFileSync("cp", ["-a", ...names.map((name) => `${root}/${name}`), to]);
}
