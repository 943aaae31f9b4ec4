import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { bootAdmin } from "../../../support/sites/admin-site.js";
import { useAdmin } from "../../../support/sites/use-site.js";

const url = "/admin/api/dev/apply";

describe("POST {admin.path}/api/dev/apply", () => {
  const site = useAdmin({
    files: {
      "site.yaml": "# ours\ntitle: Test\nauthor:\n  name: Ann # first\n",
      "flex-objects/book.yaml": "title: Books\nfields:\n  name: { type: text, required: true }\n",
      "data/users/x.json": "{}",
      ".env": "SECRET=1",
      "plugins/mine.ts": "throw new Error();\n",
    },
  });
  const admin = site.user("admin");

  const apply = (changes: unknown[], dryRun = false) =>
    admin.json(200, "POST", url, { dry_run: dryRun, changes });
  const read = (path: string) => readFile(join(site.root, path), "utf8");

  it("returns a result per change; an error does not block others", async () => {
    const { dry_run, results, summary } = await apply([
      { op: "write", path: "content/10.a/default.md", content: "---\ntitle: A\n---\n" },
      { op: "write", path: "content/10.b/default.md", content: "---\na: [\n---\n" },
      { op: "delete", path: "content/none.md" },
      { op: "frontmatter", path: "content/10.a/default.md", patch: { date: "2026-01-01" } },
      { op: "config", key: "description", value: "New" },
      { op: "rename", path: "x" },
      7,
    ]);
    assert.equal(dry_run, false);
    assert.deepEqual(statuses(results), [
      "created",
      "error",
      "error",
      "updated",
      "updated",
      "error",
      "error",
    ]);
    for (const result of results) assert.equal(result.status === "error", result.errors.length > 0);
    assert.deepEqual(summary, { total: 7, valid: 3, errors: 4 });
    assert.match(await read("content/10.a/default.md"), /date: 2026-01-01/);
    assert.equal(results[0].path, "content/10.a/default.md");
    assert.equal(results[4].key, "description");
  });

  it("reports what is wrong with a malformed change", async () => {
    const { results } = await apply([
      null,
      [],
      {},
      { op: "run" },
      { op: "write", path: "content/a.md" },
      { op: "write", path: ["content/a.md"], content: "x" },
      { op: "frontmatter", path: "content/a.md", patch: [] },
    ]);
    for (const { status, errors } of results) {
      assert.equal(status, "error");
      assert.ok(errors[0].length > 5);
    }
  });

  it("preserves comments and order of site.yaml", async () => {
    await apply([{ op: "config", key: "author.name", value: "Bea" }]);
    assert.match(await read("site.yaml"), /^# ours\ntitle: Test\nauthor:\n {2}name: Bea # first\n/);
    await apply([{ op: "config", key: "description", value: null }]);
  });

  it("only accepts public webhook addresses, and those that the file has", async () => {
    const standing = "http://127.0.0.1:9/standing";
    const hooks = (...urls: string[]): string =>
      `webhooks:\n${urls.map((to) => `  - url: ${to}\n    events: [onPageUpdate]\n`).join("")}`;
    await writeFile(join(site.root, "admin.yaml"), hooks(standing));
    for (const dry of [true, false]) {
      for (const to of ["http://127.0.0.1/x", "http://169.254.169.254/latest", "$HOOK_URL"]) {
        const content = hooks(standing, to);
        const { results } = await apply([{ op: "write", path: "admin.yaml", content }], dry);
        assert.equal(results[0].status, "error", to);
        assert.match(results[0].errors[0], /^webhooks\.url: /);
      }
    }
    assert.equal(await read("admin.yaml"), hooks(standing));
    const content = `${hooks(standing)}webhook_log_days: 60\n`;
    const { results } = await apply([{ op: "write", path: "admin.yaml", content }]);
    assert.equal(results[0].status, "updated");
  });

  for (const path of ["content/20.same/default.md", "themes/same/a.css"]) {
    it(`applies changes to the same path in order: ${path}`, async () => {
      const one = { op: "write", path, content: "one\n" };
      const { results } = await apply([
        one,
        one,
        { ...one, content: "two\n" },
        { op: "delete", path },
        { op: "delete", path },
        { ...one, content: "three\n" },
      ]);
      assert.deepEqual(statuses(results), [
        "created",
        "skipped",
        "updated",
        "deleted",
        "error",
        "created",
      ]);
      assert.equal(await read(path), "three\n");
    });
  }

  it("applies changes to the same key in order", async () => {
    const { results } = await apply(
      ["one", "one", "two"].map((value) => ({ op: "config", key: "description", value })),
    );
    assert.deepEqual(statuses(results), ["updated", "skipped", "updated"]);
    assert.match(await read("site.yaml"), /^description: two$/m);
    await apply([{ op: "config", key: "description", value: null }]);
  });

  it("applies 50 concurrent patches of different keys", async () => {
    const path = "content/21.many/default.md";
    await apply([{ op: "write", path, content: "---\ntitle: Many\n---\n" }]);
    const keys = Array.from({ length: 50 }, (_, n) => `key${n}`);
    await Promise.all(keys.map((key) => apply([{ op: "frontmatter", path, patch: { [key]: 1 } }])));
    const text = await read(path);
    assert.deepEqual(
      keys.filter((key) => !text.includes(`${key}: 1`)),
      [],
    );
  });

  describe("paths", () => {
    before(async () => {
      await mkdir(join(site.root, "outside"), { recursive: true });
      await writeFile(join(site.root, "outside/x.md"), "x");
      await mkdir(join(site.root, "themes"), { recursive: true });
      await symlink(join(site.root, "outside"), join(site.root, "content/linked"));
      await symlink(join(site.root, "outside"), join(site.root, "themes/linked"));
      await mkdir(join(site.root, "themes/own"));
      await symlink(join(site.root, "outside/x.md"), join(site.root, "themes/own/link.css"));
      await link(join(site.root, ".env"), join(site.root, "outside/hard"));
    });
    for (const path of [
      "../x.md",
      "content/../site.yaml",
      "content/../config/site.yaml",
      "/etc/passwd",
      "~/x.md",
      "content/~x.md",
      "content\\x.md",
      "C:/x.md",
      "content/x.md\0",
      "content/x.md/",
      "content//x.md",
      "content/./x.md",
      ".git/hooks/post-commit",
      ".env",
      "content/.env",
      "content/.git/config",
      "data/users/x.json",
      "plugins/x.ts",
      "package.json",
      "content/linked/x.md",
      "themes/linked/x.css",
      "themes/own/link.css",
      "themes/../.env",
      "",
      "content",
      "themes",
      "config/other.yaml",
      "env/production/site.yaml",
      "dataflex/x.yaml",
      "flex-objects/../site.yaml",
      "themes/x/.hidden",
      `content/${"a".repeat(2000)}.md`,
    ]) {
      it(`does not touch ${JSON.stringify(path.slice(0, 40))}`, async () => {
        const before = await treeHash(site.root);
        const { results } = await apply([
          { op: "write", path, content: "x" },
          { op: "delete", path },
          { op: "frontmatter", path, patch: { a: 1 } },
        ]);
        for (const { status, errors } of results) {
          assert.equal(status, "error");
          assert.ok(errors.length > 0 && errors[0] !== "");
        }
        assert.equal(await treeHash(site.root), before);
      });
    }
  });

  for (const key of [
    "__proto__.polluted",
    "constructor.prototype.polluted",
    "a..b",
    "",
    ".",
    "a.",
    "author.name.x",
    "titel",
    "a b",
    "a/b",
    Array.from({ length: 2000 }, () => "a").join("."),
  ]) {
    it(`rejects config key ${JSON.stringify(key.slice(0, 30))} without changing site.yaml`, async () => {
      const before = await read("site.yaml");
      const { results } = await apply([{ op: "config", key, value: true }]);
      assert.equal(results[0].status, "error");
      assert.equal(await read("site.yaml"), before);
      assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    });
  }

  it("rejects an invalid value, naming the key", async () => {
    const before = await read("site.yaml");
    const { results } = await apply([{ op: "config", key: "taxonomies", value: "x" }]);
    assert.match(results[0].errors[0], /taxonomies/);
    assert.equal(await read("site.yaml"), before);
    const whole = await apply([{ op: "write", path: "site.yaml", content: "title: [\n" }]);
    assert.equal(whole.results[0].status, "error");
  });

  it("rejects prototype keys in a patch", async () => {
    const body =
      '{"changes":[{"op":"frontmatter","path":"content/01.home/default.md","patch":{"__proto__":{"polluted":1}}}]}';
    const { results } = await admin.json(200, "POST", url, body);
    assert.equal(results[0].status, "error");
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("writes themes and flex files, which flex reads", async () => {
    const { results } = await apply([
      { op: "write", path: "themes/plain/theme.yaml", content: "name: plain\n" },
      {
        op: "write",
        path: "flex-objects/book/0123456789ab.yaml",
        content: "_createdAt: 1\nname: Dune\n",
      },
      { op: "write", path: "flex-objects/book/0123456789ac.yaml", content: "other: 1\n" },
      { op: "write", path: "flex-objects/bad.yaml", content: "- a\n" },
      { op: "write", path: "themes/plain/program.exe", content: "x" },
      { op: "write", path: "themes/plain/run.sh", content: "x" },
      { op: "write", path: "themes/plain/theme.yaml", content: "a: [" },
      { op: "write", path: "themes/plain/logo.svg", content: "<svg/>" },
      { op: "write", path: "flex-objects/a/b/c.yaml", content: "a: 1\n" },
      { op: "write", path: "flex-objects/book.json", content: "{}" },
    ]);
    assert.deepEqual(statuses(results), [
      "created",
      "created",
      "error",
      "error",
      "error",
      "error",
      "error",
      "created",
      "error",
      "error",
    ]);
    const records = await admin.json(200, "GET", "/admin/api/flex/book");
    assert.equal(records.total, 1);
  });

  it("only writes content files and sidecars", async () => {
    const { results } = await apply([
      { op: "write", path: "content/robots.txt", content: "Disallow: /\n" },
      { op: "write", path: "content/x.html", content: "<p>" },
      { op: "frontmatter", path: "content/noext", patch: { a: 1 } },
      { op: "write", path: "content/a.png.meta.yaml", content: "alt: A\n" },
      { op: "delete", path: "content/a.png.meta.yaml" },
    ]);
    assert.deepEqual(statuses(results), ["error", "error", "error", "created", "deleted"]);
  });

  it("lets editors write pages, and only admins write code", async () => {
    const editor = await site.as("editor");
    const { results } = await editor.json(200, "POST", url, {
      changes: [
        { op: "write", path: "content/30.e/default.md", content: "x" },
        { op: "write", path: "content/31.e/page.tsx", content: "export default () => null" },
        { op: "write", path: "themes/plain/templates/x.tsx", content: "export default () => null" },
      ],
    });
    assert.deepEqual(statuses(results), ["created", "error", "error"]);
  });

  describe("rights", () => {
    const members = "content/60.members/default.md";
    const gated = "---\ntitle: Members\nroles: member\n---\n";
    const hidden = "content/61.hidden/default.md";
    const site60 = { op: "config", key: "description", value: "x" };
    const sidecar = "content/60.members/a.png.meta.yaml";
    const record = "flex-objects/book/0123456789ff.yaml";
    beforeEach(async () => {
      await apply([
        { op: "write", path: "site.yaml", content: "title: Test\n" },
        { op: "write", path: members, content: gated },
        { op: "write", path: hidden, content: "---\nstatus: draft\n---\n" },
        { op: "write", path: sidecar, content: "alt: A\n" },
        { op: "write", path: "content/62.code/page.mdx", content: "x\n" },
        { op: "write", path: "themes/mine/theme.yaml", content: "name: mine\n" },
        { op: "write", path: record, content: "_createdAt: 1\nname: A\npublished: false\n" },
      ]);
    });
    const pagesOnly = (permissions: readonly string[]) =>
      site.withToken(["pages.update", ...permissions]);

    for (const [permissions, change] of [
      [["config.update"], site60],
      [["config.update"], { op: "write", path: "site.yaml", content: "title: Mine\n" }],
      [["config.update"], { op: "write", path: "system.yaml", content: "timezone: UTC\n" }],
      [
        ["config.update", "plugins.manage"],
        { op: "write", path: "system.yaml", content: "debug: true\n" },
      ],
      [
        ["config.update", "plugins.manage"],
        { op: "config", key: "plugins.x.src", value: "./plugins/mine.ts" },
      ],
      [
        ["config.update", "plugins.manage"],
        {
          op: "write",
          path: "site.yaml",
          content: "title: A\nplugins: [{ src: ./plugins/mine.ts }]\n",
        },
      ],
      [
        ["config.update", "plugins.manage"],
        { op: "config", key: "theme.src", value: "npm:a-theme@1.0.0" },
      ],
      [["plugins.manage"], { op: "plugin.install", spec: "./plugins/mine.ts" }],
      [["plugins.manage"], { op: "write", path: "themes/mine/x.css", content: "a{}" }],
      [["plugins.manage", "pages.delete"], { op: "delete", path: "themes/mine/theme.yaml" }],
      [
        ["plugins.manage", "pages.publish"],
        { op: "write", path: "content/62.code/page.tsx", content: "export default () => null" },
      ],
      [
        ["plugins.manage", "pages.delete", "pages.publish"],
        { op: "delete", path: "content/62.code/page.mdx" },
      ],
      [["pages.delete"], { op: "delete", path: hidden }],
      [["media.upload", "pages.publish"], { op: "write", path: sidecar, content: "alt: B\n" }],
      [["media.delete", "pages.delete", "pages.publish"], { op: "delete", path: sidecar }],
      [["pages.publish"], { op: "frontmatter", path: members, patch: { title: "Club" } }],
      [["pages.publish"], { op: "frontmatter", path: members, patch: { roles: null } }],
      [["pages.publish"], { op: "write", path: members, content: "# For all\n" }],
      [["pages.publish"], { op: "frontmatter", path: hidden, patch: { status: null } }],
      [["pages.publish"], { op: "write", path: "content/63.new/default.md", content: "# New\n" }],
      [["config.update"], { op: "write", path: "flex-objects/film.yaml", content: "title: F\n" }],
      [["flex.write"], { op: "write", path: record, content: "name: B\npublished: false\n" }],
      [["flex.write", "pages.publish"], { op: "write", path: record, content: "name: B\n" }],
      [["flex.write", "pages.delete"], { op: "delete", path: record }],
    ] as const) {
      const shown = JSON.stringify(change).slice(0, 70);
      for (const lacking of permissions) {
        it(`requires ${lacking} for ${shown}`, async () => {
          const others = permissions.filter((one) => one !== lacking);
          const sender = await pagesOnly(others);
          const before = await treeHash(site.root);
          for (const dry_run of [true, false]) {
            const { results } = await sender.json(200, "POST", url, { dry_run, changes: [change] });
            assert.equal(results[0].status, "error", JSON.stringify(results));
            assert.match(results[0].errors[0], new RegExp(`permission ${lacking} is needed`));
          }
          assert.equal(await treeHash(site.root), before);
        });
      }
      it(`requires no other permission for ${shown}`, async () => {
        const sender = await pagesOnly(permissions);
        const { results } = await sender.json(200, "POST", url, {
          dry_run: true,
          changes: [change],
        });
        assert.notEqual(results[0].status, "error", JSON.stringify(results));
      });
    }

    it("only requires pages.update if the public does not see the change", async () => {
      const sender = await pagesOnly([]);
      const { results } = await sender.json(200, "POST", url, {
        changes: [
          { op: "frontmatter", path: hidden, patch: { title: "Club" } },
          { op: "write", path: "content/63.new/default.md", content: "---\nstatus: draft\n---\n" },
        ],
      });
      assert.deepEqual(statuses(results), ["updated", "created"]);
    });
  });

  it("does not change anything in a dry run", async () => {
    const before = await treeHash(site.root);
    const { results } = await apply(
      [
        { op: "write", path: "content/40.dry/default.md", content: "x" },
        { op: "frontmatter", path: "content/01.home/default.md", patch: { x: 1 } },
        { op: "delete", path: "content/02.blog/blog.md" },
        { op: "config", key: "description", value: "dry" },
        { op: "plugin.install", spec: "./plugins/mine.ts" },
        { op: "write", path: "themes/dry/theme.yaml", content: "name: dry\n" },
        { op: "write", path: "flex-objects/dry.yaml", content: "title: Dry\n" },
      ],
      true,
    );
    assert.deepEqual(statuses(results), [
      "would_create",
      "would_update",
      "would_delete",
      "would_update",
      "would_update",
      "would_create",
      "would_create",
    ]);
    assert.equal(await treeHash(site.root), before);
  });

  it("returns the same results for dry and real runs, except for the tense", async () => {
    const path = fc.constantFrom(
      "content/50.p/default.md",
      "content/51.q/post.md",
      "themes/prop/a.css",
      "../x",
      "flex-objects/prop.yaml",
    );
    const change = fc.oneof(
      fc.record({
        op: fc.constant("write"),
        path,
        content: fc.constantFrom("a\n", "---\nt: [\n---\n", "title: X\n"),
      }),
      fc.record({ op: fc.constant("delete"), path }),
      fc.record({
        op: fc.constant("frontmatter"),
        path,
        patch: fc.constantFrom({ a: 1 }, { a: null }, { b: { c: 2 } }),
      }),
      fc.record({
        op: fc.constant("config"),
        key: fc.constantFrom("description", "title", "nope", "feed.items"),
        value: fc.constantFrom("a", 5, null),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const dry = await apply(changes, true);
        const real = await apply(changes);
        const plain = (status: string) =>
          ({ would_create: "created", would_update: "updated", would_delete: "deleted" })[status] ??
          status;
        assert.deepEqual(statuses(dry.results).map(plain), statuses(real.results));
      }),
      { numRuns: 60 },
    );
  });

  it("accepts 500 changes, but not 501, and not 6 MB", async () => {
    const one = { op: "delete", path: "content/none.md" };
    assert.equal((await admin.send("POST", url, { changes: Array(501).fill(one) })).status, 400);
    assert.equal((await apply(Array(500).fill(one))).summary.total, 500);
    const big = {
      changes: [{ op: "write", path: "content/x.md", content: "a".repeat(6_000_000) }],
    };
    assert.equal((await admin.send("POST", url, big)).status, 413);
  });

  it("records a batch in the audit log", async () => {
    await apply([{ op: "config", key: "description", value: "noted" }]);
    const notes = (await site.audit()).filter(({ event }) => event === "dev.apply");
    assert.match(JSON.stringify(notes.at(-1)), /description/);
    assert.doesNotMatch(JSON.stringify(notes.at(-1)), /noted/);
  });
});

describe("dev/apply outside dev mode", () => {
  it("responds 404, also with dry_run and with debug in the request", async () => {
    const site = await bootAdmin({ env: { SITE_ENV: "production" } });
    try {
      const admin = await site.as("admin");
      const body = {
        dry_run: true,
        debug: true,
        changes: [{ op: "delete", path: "content/01.home/default.md" }],
      };
      for (const path of [url, `${url}?SITE_ENV=dev`]) {
        assert.equal((await admin.send("POST", path, body, { "x-site-env": "dev" })).status, 404);
      }
      assert.ok(await stat(join(site.root, "content/01.home/default.md")));
    } finally {
      await site.close();
    }
  });
});

function statuses(results: { status: string }[]): string[] {
  return results.map(({ status }) => status);
}

// Paths, sizes, times and content of the whole site except its runtime folder.
async function treeHash(root: string): Promise<string> {
  const hash = createHash("sha256");
  const items = await readdir(root, { recursive: true, withFileTypes: true });
  const names = items
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .sort();
  for (const name of names.filter((one) => !one.includes("/.dune/"))) {
    const { mtimeMs } = await stat(name);
    hash.update(`${name} ${mtimeMs}\n`).update(await readFile(name));
  }
  return hash.digest("hex");
}
