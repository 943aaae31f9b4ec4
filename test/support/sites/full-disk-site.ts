// A site with its image cache on a disk of one megabyte: unshare -rm node --import=tsx full-disk-site.ts <root>
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { bootSite } from "./boot-site.js";

/** The results. */
export interface FullDiskReport {
  /** Status of each requested variant. */
  readonly statuses: readonly number[];
  /** Bytes of each variant, for a first and a second request. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly freeBytes: number;
  readonly temporary: readonly string[];
  /** Status and body of a page once the disk is full. */
  readonly page: string;
  /** Result of a variant once there is room again. */
  readonly afterwards: readonly [number, string | null];
}

interface SiteResponse {
  readonly status: number;
  readonly size: number;
  readonly from: string | null;
}

const [root = ""] = process.argv.slice(2);
const disk = join(root, "cache");
mkdirSync(disk, { recursive: true });
execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk]);
const site = await bootSite({
  root,
  plugins: ["content", "markdown", "media", "pages"],
  env: { SITE_ENV: "production" },
  settings: {
    system: { images: { cache_dir: "cache/images", queue: { misses_per_minute: 10_000 } } },
  },
});
const ask = async (path: string): Promise<SiteResponse> => {
  const answer = await site.fetch(`/content-media/01.home/noise.png?${path}`);
  const { byteLength } = await answer.arrayBuffer();
  return { status: answer.status, size: byteLength, from: answer.headers.get("x-site-image") };
};
const wishes = [320, 640, 768].flatMap((w) => [320, 640, 768].map((h) => `w=${w}&h=${h}&f=png`));
const first: SiteResponse[] = [];
for (const wish of wishes) first.push(await ask(wish));
const second: SiteResponse[] = [];
for (const wish of wishes) second.push(await ask(wish));
const page = await (await site.fetch("/api/pages/")).json();
const files = readdirSync(disk, { recursive: true }).map(String);
const free = statfsSync(disk);
await site.site.use("media").purge();
const afterwards = await ask("w=320&f=jpeg");
await site.close();
const report: FullDiskReport = {
  statuses: [...first, ...second].map(({ status }) => status),
  sizes: first.map(({ size }, at) => [size, second[at]?.size ?? 0] as const),
  freeBytes: free.bavail * free.bsize,
  temporary: files.filter((file) => file.includes(".tmp-")),
  page: JSON.stringify(page).slice(0, 200),
  afterwards: [afterwards.status, afterwards.from],
};
process.stdout.write(`${JSON.stringify(report)}\n`);
