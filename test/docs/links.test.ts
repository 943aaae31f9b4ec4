import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { repository } from "../support/repository.js";

const ROOT_FILES = ["content", "site.yaml", "system.yaml", "admin.yaml"];

describe("the documentation", () => {
  let root: string;
  let site: TestSite;
  before(async function () {
    this.timeout(60_000);
    root = await mkdtemp(join(tmpdir(), "site-docs-"));
    for (const name of ROOT_FILES) {
      await cp(join(repository, name), join(root, name), { recursive: true });
    }
    const settings = { system: { server: { rate_limit: false } } };
    site = await bootSite({ root, settings, env: { SITE_ENV: "production" } });
  });
  after(async () => {
    await site.close();
    await rm(root, { recursive: true, force: true });
  });

  it("has no skipped page and no meaningless field", () => {
    assert.deepEqual(site.site.use("content").generation().problems, []);
  });

  it("has no broken link: every internal link, image and anchor exists", async function () {
    this.timeout(120_000);
    const { entries } = site.site.use("content").generation();
    const pages = new Map<string, string>();
    for (const { url } of entries.filter(({ routable }) => routable)) {
      const answer = await site.fetch(url);
      assert.equal(answer.status, 200, url);
      pages.set(url, await answer.text());
    }
    const broken = new Set<string>();
    const seen = new Set<string>();
    for (const [url, html] of pages) {
      for (const target of addressesIn(html, site.url + url)) {
        if (!(await leadsSomewhere(target, { site, pages, seen })))
          broken.add(`${url} → ${target}`);
      }
    }
    assert.deepEqual([...broken], []);
  });
});

interface Visited {
  site: TestSite;
  pages: ReadonlyMap<string, string>;
  /** Addresses that have answered 200. */
  seen: Set<string>;
}

/** Absolute addresses on this site that a document names. */
function addressesIn(html: string, base: string): string[] {
  return [...html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)]
    .flatMap(([, value = ""]) => value.split(/,\s+/))
    .map(
      (value) =>
        value
          .replace(/&(?:amp|#x26);/g, "&")
          .trim()
          .split(/\s/)[0] ?? "",
    )
    .filter((value) => value !== "" && URL.canParse(value, base))
    .map((value) => new URL(value, base).href)
    .filter((value) => value.startsWith(new URL("/", base).href));
}

async function leadsSomewhere(target: string, { site, pages, seen }: Visited): Promise<boolean> {
  const { pathname, search, hash } = new URL(target);
  const page = pages.get(pathname);
  if (page !== undefined) return hash === "" || page.includes(` id="${hash.slice(1)}"`);
  const path = pathname + search;
  if (seen.has(path)) return true;
  const { status } = await site.fetch(path);
  if (status === 200 || status === 301) seen.add(path);
  return seen.has(path);
}
