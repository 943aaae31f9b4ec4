import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootAuthSite, SITE_URL } from "../support/sites/auth-site.js";
import { bootSite } from "../support/sites/boot-site.js";

/** The text of every file of a folder. */
async function textOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

describe("sessions of visitors", () => {
  const secret = "s".repeat(40);
  const env = { SITE_AUTH_SECRET: secret };

  it("cannot be taken over with a copy of the files: these contain no cookie", async () => {
    const site = await bootAuthSite({ providers: { magicLink: { enabled: true } } }, { env });
    try {
      const browser = await site.loggedIn("ann@example.org");
      const cookie = browser.cookie("site_auth") ?? "";
      assert.match(cookie, /^[\w-]{86}$/);
      const stored = await textOf(site.root);
      assert.match(stored, /ann@example\.org/);
      for (const part of [cookie.slice(0, 43), cookie.slice(43)]) assert.ok(!stored.includes(part));
    } finally {
      await site.close();
    }
  });

  it("of a former mode are not accepted once tokens of a provider log in", async () => {
    const before = await bootAuthSite({ providers: { magicLink: { enabled: true } } }, { env });
    const browser = await before.loggedIn("ann@example.org");
    const cookie = browser.pairs("site_auth");
    assert.equal((await before.fetch("/auth/me", { headers: { cookie } })).status, 200);
    await before.site.close();
    const after = await bootAuthSite(
      { mode: "external-jwt", jwt: { secret } },
      { env, root: before.root },
    );
    try {
      assert.notEqual((await after.fetch("/auth/me", { headers: { cookie } })).status, 200);
    } finally {
      await after.close();
      await before.close();
    }
  });
});

describe("the cache of pages", () => {
  /** Names that servers and frameworks read; those that Node or HTTP itself acts on are left out. */
  const NAMES = [
    "x-forwarded-host x-forwarded-proto x-forwarded-scheme x-forwarded-port x-forwarded-prefix x-forwarded-server",
    "x-forwarded-path x-forwarded-for x-forwarded-uri forwarded x-host x-original-host x-original-url x-rewrite-url",
    "x-http-host-override x-http-method-override x-method-override x-http-destinationurl x-proxy-url base-url",
    "client-ip true-client-ip x-client-ip x-real-ip cf-connecting-ip fastly-client-ip x-cluster-client-ip via",
    "x-site-user x-site-preview x-preview x-debug x-user x-user-id x-role x-wp-nonce x-csrf-token x-theme",
    "accept-charset user-agent referer origin cookie2 x-request-id traceparent tracestate baggage dnt sec-gpc",
    "x-requested-with x-amz-website-redirect-location x-frame-options content-language x-timer x-arr-ssl",
    "x-nextjs-data rsc next-router-state-tree x-invoke-path x-middleware-prefetch purpose sec-purpose",
  ].flatMap((line) => line.split(" "));
  const PATHS = ["/", "/blog", "/api/pages", "/api/nav", "/blog.rss", "/sitemap.xml", "/missing"];
  const CANARY = "canary.example";

  for (const isCached of [false, true]) {
    const title = isCached ? "is not changed by" : "is filled with responses without";
    it(`${title} headers that visitors send`, async () => {
      const site = await bootSite({
        files: {
          "content/01.home/default.md": "---\ntitle: Home\n---\n[Blog](/blog)\n",
          "content/02.blog/blog.md": "---\ntitle: Blog\n---\nText.\n",
        },
        env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
        settings: {
          site: { url: SITE_URL, feed: { enabled: true } },
          system: {
            cache: { enabled: isCached },
            page_cache: { enabled: isCached },
            server: { rate_limit: false },
          },
        },
      });
      const read = async (path: string, headers: Record<string, string> = {}) => {
        const answer = await site.fetch(path, { headers });
        return JSON.stringify([...answer.headers]) + (await answer.text());
      };
      try {
        const all = Object.fromEntries(NAMES.map((name) => [name, CANARY]));
        for (const path of PATHS) {
          if (isCached) await read(path, all);
          for (const name of isCached ? [] : NAMES) {
            assert.ok(!(await read(path, { [name]: CANARY })).includes(CANARY), `${path} ${name}`);
          }
          assert.ok(!(await read(path)).includes(CANARY), path);
        }
      } finally {
        await site.close();
      }
    });
  }
});
