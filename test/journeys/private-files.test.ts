import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { createBackup } from "../../plugins/backup/create/create-backup.js";
import { PurchaseFiles } from "../../plugins/payments/purchases.js";
import { bootForms, typed, type FormSite } from "../plugins/forms/form-site.js";
import { picture } from "../support/content/pictures.js";
import { useSqlite } from "../support/services.js";
import { enableTotp } from "../support/sites/account-site.js";

/** What loads the TypeScript of plugins writes its own files, without secrets, into a private folder. */
const FOREIGN = ".dune/cache/modules/";
const LOCK = /\.(?:lock|claim)$/;

interface Found {
  path: string;
  mode: string;
}

/** All files and folders below a folder of the root with their modes, without locks and temporary files. */
async function modesIn(root: string, folder: string): Promise<Found[]> {
  if (!existsSync(join(root, folder))) return [];
  const found: Found[] = [{ path: folder, mode: await modeOf(join(root, folder)) }];
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(root, file);
    if (LOCK.test(path) || path.includes("/.tmp-") || path.startsWith(FOREIGN)) continue;
    const stats = await lstat(file).catch(() => null);
    if (stats !== null) found.push({ path, mode: (stats.mode & 0o777).toString(8) });
  }
  return found;
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe("files of a site on the disk", () => {
  const settings = {
    site: { comments: { moderated: false }, uploads: { require_auth: false } },
    system: { session_store: { type: "local" } },
    admin: { webhooks: [{ url: "https://example.org/hook", events: ["onPageUpdate"] }] },
  };
  const roots = ["data", ".dune"];
  let site: FormSite;
  let umask: number;
  before(() => {
    umask = process.umask();
  });
  afterEach(async () => {
    process.umask(umask);
    await site.close();
  });

  /** Writes something of each kind. */
  async function useEverything(): Promise<void> {
    const admin = await site.as("admin");
    const editor = await site.as("editor");
    const page = await editor.json(200, "GET", "/admin/api/pages/02.blog/01.first/post.md");
    await editor.json(200, "PUT", "/admin/api/pages/02.blog/01.first/post.md", {
      content: page.raw.replace("First body", "Changed body"),
    });
    await editor.json(201, "POST", "/admin/api/pages", {
      path: "02.blog/03.new/post.md",
      content: "---\ntitle: New\n---\nText.\n",
    });
    await editor.json(201, "PUT", "/admin/api/drafts/02.blog/01.first/post.md", {
      content: "Working copy.",
    });
    await editor.json(201, "POST", "/admin/api/preview-links", {
      path: "02.blog/01.first/post.md",
    });
    await editor.json(200, "DELETE", "/admin/api/pages/02.blog/03.new/post.md");
    await admin.json(201, "POST", "/admin/api/tokens", {
      name: "CI",
      permissions: ["pages.read"],
    });
    await admin.json(201, "POST", "/admin/api/invitations", {
      email: "new@example.org",
      role: "author",
    });
    await enableTotp(editor, site.site.context("test").runtime.clock.now());
    const membership = { user: editor.id, relation: "member", object: "role:reader" };
    await site.site.use("authz").grant(membership);
    const token = await site.token();
    const comment = await site.token("/commented");
    site.wait(5);
    assert.equal((await site.post({ ...typed, _token: token })).status, 303);
    const sent = await site.fetch("/api/comments", {
      method: "POST",
      body: new URLSearchParams({
        route: "/commented",
        name: "Ada",
        email: "ada@example.org",
        text: "Hello",
        _token: comment,
      }),
    });
    assert.equal(sent.status, 303);
    const upload = new FormData();
    upload.set("file", new Blob([new Uint8Array(await picture(20, 20))]), "a.png");
    const uploaded = await site.fetch("/api/upload", { method: "POST", body: upload });
    assert.equal(uploaded.status, 201);
    for (const path of [
      "/gated",
      "/_site/cards/blog.png",
      "/content-media/06.gated/sea.png?width=320",
      "/api/search?q=changed",
      "/api/pages",
    ]) {
      await (await site.fetch(path)).arrayBuffer();
    }
    await new PurchaseFiles(join(site.root, "data", "payments")).setUserOf("cus_1", editor.id);
    await createBackup({
      root: site.root,
      out: join(site.root, ".dune", "backups", "backup-2026-11-25T10-00-00Z.tar.gz"),
      withSecrets: false,
      databases: null,
      exclude: [],
      now: 0,
    });
  }

  async function boot(options: {
    umask: number;
    system?: Record<string, unknown>;
    env?: Record<string, string>;
    auth?: Record<string, unknown>;
  }): Promise<void> {
    process.umask(options.umask);
    site = await bootForms({
      plugins: undefined,
      files: {
        "content/05.commented/post.md": "---\ntitle: Commented\ncomments: true\n---\nText.\n",
        "content/06.gated/default.md": "---\ntitle: Gated\nroles: [member]\n---\n![Sea](sea.png)\n",
        "content/06.gated/sea.png": await picture(900, 600),
      },
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40), ...options.env },
      settings: {
        ...settings,
        site: { ...settings.site, ...(options.auth && { auth: options.auth }) },
        system: { ...settings.system, ...options.system },
      },
    });
    await useEverything();
    // A stop writes the caches.
    await site.site.close();
  }

  async function assertPrivate(): Promise<void> {
    const found = (await Promise.all(roots.map((root) => modesIn(site.root, root)))).flat();
    const open: Found[] = [];
    for (const { path, mode } of found) {
      if (path.startsWith("data/uploads")) continue;
      const isFolder = (await stat(join(site.root, path))).isDirectory();
      if (mode !== (isFolder ? "700" : "600")) open.push({ path, mode });
    }
    assert.deepEqual(open, []);
    const paths = found.map(({ path }) => path);
    for (const kind of [
      "data/users/",
      "data/permissions/",
      "data/payments/",
      ".dune/admin/history/",
      ".dune/admin/form",
      ".dune/admin/comments",
      ".dune/admin/tokens/",
      ".dune/backups/",
      ".dune/cache/search-index.json",
      ".dune/cache/markdown/",
    ]) {
      assert.ok(
        paths.some((path) => path.startsWith(kind)),
        `${kind} was not written: ${paths.join("\n")}`,
      );
    }
  }

  it("are readable by their owner only, except for content and uploads", async () => {
    await boot({ umask: 0o022, auth: { mode: "dune" } });
    await assertPrivate();
    for (const folder of ["content/02.blog/01.first", "data/uploads"]) {
      assert.equal(await modeOf(join(site.root, folder)), "755", folder);
    }
    assert.equal(await modeOf(join(site.root, "content/02.blog/01.first/post.md")), "644");
    const [upload = ""] = await readdir(join(site.root, "data/uploads"));
    assert.equal(await modeOf(join(site.root, "data/uploads", upload)), "644");
  });

  it("are readable by their owner only with databases in files", async function () {
    await useSqlite(this);
    await boot({
      umask: 0o022,
      system: { session_store: { type: "kv" } },
      auth: { mode: "dune", userStore: "db", authzStore: "db" },
      env: { SITE_DB_PATH: "data/accounts/site.sqlite" },
    });
    assert.equal(await modeOf(join(site.root, "data/accounts")), "700");
    assert.equal(await modeOf(join(site.root, "data/accounts/site.sqlite")), "600");
    assert.equal(await modeOf(join(site.root, ".dune/admin/sessions.sqlite")), "600");
  });

  it("are readable by their owner only with a strict umask", async () => {
    await boot({ umask: 0o077, auth: { mode: "dune" } });
    await assertPrivate();
    // A save keeps the mode that the file had.
    assert.equal(await modeOf(join(site.root, "content/02.blog/01.first/post.md")), "600");
  });
});
