import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const READS = ["readFileSync", "readdirSync", "existsSync", "statSync", "lstatSync"] as const;
/** What watchers read meanwhile is read once, what each page needs each time. */
const ATTEMPTS = 5;

describe("a page that is not cached", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "content/01.home/default.md": "---\ntitle: Home\n---\n\n$a^2$ and `code`\n",
        "content/02.blog/blog.md":
          '---\ntitle: Blog\ncollection: { items: "@self.children" }\n---\n',
        "content/02.blog/one/post.md": "---\ntitle: One\n---\n\nText.\n",
      },
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());
  // A visitor with a session never gets cached responses.
  const read = async (path: string): Promise<void> => {
    const response = await site.fetch(path, { headers: { cookie: "site_session=1" } });
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("x-cache"), null);
    await response.text();
  };

  /** What the process reads while it responds. */
  const readsOf = async (path: string): Promise<string[]> => {
    const seen: string[] = [];
    const originals = READS.map((name) => [name, fs[name]] as const);
    for (const [name, original] of originals) {
      const counted = (...args: unknown[]): unknown => {
        seen.push(`${name} ${String(args[0])}`);
        return Reflect.apply(original, fs, args);
      };
      Object.assign(fs, { [name]: counted });
    }
    syncBuiltinESMExports();
    try {
      await read(path);
    } finally {
      Object.assign(fs, Object.fromEntries(originals));
      syncBuiltinESMExports();
    }
    return seen;
  };

  for (const path of ["/", "/blog", "/blog/one", "/admin/login"]) {
    it(`reads no file the second time: ${path}`, async () => {
      await read(path);
      let seen = await readsOf(path);
      for (let attempt = 1; attempt < ATTEMPTS && seen.length > 0; attempt += 1) {
        seen = await readsOf(path);
      }
      assert.deepEqual(seen, []);
    });
  }
});
