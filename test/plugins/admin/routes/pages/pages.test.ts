import assert from "node:assert/strict";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

describe("pages of the admin API", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let author: AdminClient;
  const events: string[] = [];
  beforeEach(async () => {
    events.length = 0;
    site = await bootAdmin();
    for (const name of ["onPageCreate", "onPageUpdate", "onPageDelete"] as const) {
      site.site
        .context("admin")
        .hooks.on(name, ({ data }) => void events.push(`${name} ${data.sourcePath}`));
    }
    editor = await site.as("editor");
    author = await site.as("author");
  });
  afterEach(() => site.close());
  const first = "/admin/api/pages/02.blog/01.first/post.md";
  const onDisk = (path: string) => readFile(join(site.root, "content", path), "utf8");

  it("lists every page including unpublished ones, and filters", async () => {
    const { items, total } = await author.json(200, "GET", "/admin/api/pages");
    assert.equal(total, 4);
    assert.deepEqual(
      items.map(({ status }: { status: string }) => status),
      ["published", "published", "published", "draft"],
    );
    assert.equal((await author.json(200, "GET", "/admin/api/pages?q=SECOND")).total, 1);
    assert.equal((await author.json(200, "GET", "/admin/api/pages?status=draft")).total, 1);
    assert.equal(
      (await author.json(200, "GET", "/admin/api/pages?limit=1&offset=1")).items.length,
      1,
    );
    assert.equal((await author.send("GET", "/admin/api/pages?limit=0")).status, 400);
  });

  it("creates a page, with or without content/ before its path, and emits its event", async () => {
    const body = { path: "content/03.new/default.md", content: "---\ntitle: New\n---\nHi" };
    const made = await editor.json(201, "POST", "/admin/api/pages", body);
    assert.equal(made.sourcePath, "03.new/default.md");
    assert.equal(await onDisk("03.new/default.md"), body.content);
    assert.equal((await site.fetch("/api/pages/new")).status, 200);
    assert.equal((await editor.send("POST", "/admin/api/pages", body)).status, 409);
    await site.site.context("admin").hooks.settled();
    assert.deepEqual(events, ["onPageCreate 03.new/default.md"]);
  });

  it("returns a page's source with its digest as ETag", async () => {
    const answer = await author.send("GET", first);
    const source = (await answer.json()) as Record<string, unknown>;
    assert.equal(answer.headers.get("etag"), `"${String(source["hash"])}"`);
    assert.equal(source["raw"], await onDisk("02.blog/01.first/post.md"));
    assert.equal(source["body"], "First body.\n");
    assert.equal(source["format"], "md");
    assert.deepEqual(source["frontmatter"], { title: "First", tags: ["a"] });
  });

  it("saves the whole text, or front matter and body with comments preserved", async () => {
    await editor.json(200, "PUT", first, {
      frontmatter: { title: "Changed", tags: null },
      body: "New body.\n",
    });
    assert.equal(
      await onDisk("02.blog/01.first/post.md"),
      "---\n# a comment\ntitle: Changed\n---\nNew body.\n",
    );
    await editor.json(200, "PUT", first, { content: "# All new\n" });
    assert.equal(await onDisk("02.blog/01.first/post.md"), "# All new\n");
  });

  it("responds 409 with both versions to the second of two editors", async () => {
    const { hash } = await editor.json(200, "GET", first);
    const match = { "if-match": `"${hash}"` };
    await editor.json(200, "PUT", first, { content: "mine\n" }, match);
    const other = await site.as("editor", { username: "other" });
    const lost = await other.json(409, "PUT", first, { content: "theirs\n" }, match);
    assert.equal(lost.current.raw, "mine\n");
    assert.equal(lost.yours.content, "theirs\n");
    assert.equal(await onDisk("02.blog/01.first/post.md"), "mine\n");
    assert.equal((await editor.send("DELETE", first, undefined, match)).status, 409);
  });

  it("accepts one of many concurrent saves on the same version", async () => {
    const { hash } = await editor.json(200, "GET", first);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        editor.send("PUT", first, { content: `version ${n}\n` }, { "if-match": `"${hash}"` }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 19);
  });

  it("deletes a page, but not for authors", async () => {
    assert.equal((await author.send("DELETE", first)).status, 403);
    const { trashId, ...answer } = await editor.json(200, "DELETE", first);
    assert.deepEqual(answer, {
      deleted: true,
      sourcePath: "02.blog/01.first/post.md",
      references: [{ from: "02.blog/02.second/post.md", text: "/blog/first", line: 5 }],
    });
    assert.match(trashId, /^[0-9A-Z]{26}$/);
    assert.equal((await editor.send("GET", first)).status, 404);
    assert.equal((await editor.send("DELETE", first)).status, 404);
  });

  it("creates an author's page as a draft, and does not publish when an author saves", async () => {
    const body = { path: "04.mine/default.md", content: "---\ntitle: Mine\n---\nHi" };
    const { frontmatter } = await author.json(201, "POST", "/admin/api/pages", body);
    assert.equal(frontmatter.status, "draft");
    for (const edit of [
      { content: "# Public" },
      { frontmatter: { status: "published" } },
      { frontmatter: { status: null } },
    ]) {
      const answer = await author.send("PUT", "/admin/api/pages/04.mine/default.md", edit);
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /pages\.publish/);
    }
    await author.json(200, "PUT", "/admin/api/pages/04.mine/default.md", { body: "More." });
    await editor.json(200, "PUT", "/admin/api/pages/04.mine/default.md", {
      frontmatter: { status: "published" },
    });
  });

  it("does not let an author publish, whatever hides the page", async () => {
    const cases = [
      ["published: no", { frontmatter: { published: true } }],
      ["published: 'off'", { frontmatter: { published: null } }],
      ["publish_date: 2999-01-01", { frontmatter: { publish_date: "2020-01-01" } }],
      ["publish_date: 2999-01-01", { content: "# Now" }],
      ["unpublish_date: 2020-01-01", { frontmatter: { unpublish_date: null } }],
      ["unpublish_date: 2998-01-01", { frontmatter: { unpublish_date: "2999-01-01" } }],
      ["roles: member", { frontmatter: { roles: null } }],
      ["roles: member", { frontmatter: { roles: "any" } }],
      ["roles: [member, staff]", { frontmatter: { roles: ["member"] }, body: "Text.\n" }],
      ["roles: member", { content: "# For all" }],
      ["routable: false", { frontmatter: { routable: null } }],
    ] as const;
    for (const [index, [hidden, edit]] of cases.entries()) {
      const path = `06.later/${index}.md`;
      const content = `---\ntitle: Later\n${hidden}\n---\nText.\n`;
      await editor.json(201, "POST", "/admin/api/pages", { path, content });
      const { error } = await author.json(403, "PUT", `/admin/api/pages/${path}`, edit);
      assert.match(error, /pages\.publish/);
      assert.equal(await onDisk(path), content);
      const title = { frontmatter: { title: "Later still" } };
      const isOut = /2998|roles|routable/.test(hidden) && !hidden.startsWith("publish_date");
      await author.json(isOut ? 403 : 200, "PUT", `/admin/api/pages/${path}`, title);
    }
  });

  it("lets an author without pages.publish change no published page", async () => {
    const source = await onDisk("02.blog/01.first/post.md");
    for (const edit of [
      { content: "# Mine" },
      { body: "Mine.\n" },
      { frontmatter: { title: "M" } },
    ]) {
      const { error } = await author.json(403, "PUT", first, edit);
      assert.match(error, /pages\.publish .* working copy/);
    }
    assert.equal(await onDisk("02.blog/01.first/post.md"), source);
  });

  it("lets an author postpone the publication of a page, and withdraw it", async () => {
    const body = {
      path: "06.later/default.md",
      content: "---\npublish_date: 2998-01-01\n---\nText.\n",
    };
    await editor.json(201, "POST", "/admin/api/pages", body);
    const page = "/admin/api/pages/06.later/default.md";
    for (const frontmatter of [{ publish_date: "2999-01-01" }, { published: false }]) {
      await author.json(200, "PUT", page, { frontmatter });
    }
  });

  it("responds 5xx with a clear error when the disk fails, and preserves the old file", async () => {
    const folder = join(site.root, "content/02.blog/01.first");
    await chmod(folder, 0o500);
    try {
      if (process.getuid?.() === 0) return;
      const answer = await editor.send("PUT", first, { content: "x" });
      assert.equal(answer.status, 500);
    } finally {
      await chmod(folder, 0o700);
    }
  });

  it("records who changed which page", async () => {
    await editor.json(200, "PUT", first, { content: "x\n" });
    const notes = (await site.audit()).filter(({ event }) => event === "page.update");
    assert.equal(notes[0]?.actor?.id, editor.id);
  });

  const late = "02.blog/03.late/post.md";
  for (const [what, [method, path, body]] of Object.entries<
    [method: string, path: string, body?: unknown]
  >({
    "is read": ["GET", `/admin/api/pages/${late}`],
    "is saved": ["PUT", `/admin/api/pages/${late}`, { body: "Saved." }],
    "is deleted": ["DELETE", `/admin/api/pages/${late}`],
    "is moved": ["POST", "/admin/api/pages/move", { path: late, to: "02.blog/04.moved/post.md" }],
    "is moved with its folder": [
      "POST",
      "/admin/api/pages/move",
      { path: "02.blog/03.late", to: "02.blog/04.moved" },
    ],
    "is published": ["POST", "/admin/api/workflow/transition", { path: late, to: "archived" }],
    "is in a batch": ["POST", "/admin/api/batch", { operations: [{ op: "publish", path: late }] }],
    "has a status": ["GET", `/admin/api/workflow/status/${late}`],
  })) {
    it(`knows a page that another process has written when it ${what}`, async () => {
      await mkdir(join(site.root, "content/02.blog/03.late"));
      await writeFile(join(site.root, "content", late), "---\ntitle: Late\n---\nText.\n");
      const response = await editor.json(200, method, path, body);
      assert.equal(response.summary?.errors ?? 0, 0);
    });
  }

  it("changes the version of a page that another process has written", async () => {
    const path = "02.blog/01.first/post.md";
    await writeFile(join(site.root, "content", path), "---\ntitle: Other\n---\nText.\n");
    const transition = { path, to: "archived" };
    await editor.json(200, "POST", "/admin/api/workflow/transition", transition);
    assert.match(await onDisk(path), /^---\ntitle: Other\nstatus: archived\n/);
  });
});

describe("requests that the pages of the admin API reject", () => {
  const site = useAdmin();
  const editor = site.user("editor");
  const author = site.user("author");
  const first = "/admin/api/pages/02.blog/01.first/post.md";
  const onDisk = (path: string) => readFile(join(site.root, "content", path), "utf8");

  for (const path of ["x.html", "robots.txt", "x.exe", "noext", "a/b.html", "a/b.png.meta.yaml"]) {
    it(`creates no page at ${path}`, async () => {
      const { error } = await editor.json(400, "POST", "/admin/api/pages", { path, content: "x" });
      assert.match(error, /not a content file/);
      await assert.rejects(onDisk(path), { code: "ENOENT" });
    });
  }

  for (const path of ["05.code/page.tsx", "05.code/page.mdx"]) {
    it(`only lets admins write code (${path})`, async () => {
      const body = { path, content: "export default () => <p>hi</p>;" };
      assert.equal((await editor.send("POST", "/admin/api/pages", body)).status, 403);
    });
  }

  for (const path of [
    "../site.yaml",
    "/etc/passwd",
    "a/../../x.md",
    ".git/hooks/x.md",
    "a\\b.md",
    "~/x.md",
    "x\0.md",
    "",
    "a//b.md",
    `${"a".repeat(300)}.md`,
  ]) {
    it(`rejects a new page at ${JSON.stringify(path.slice(0, 20))}`, async () => {
      const answer = await editor.send("POST", "/admin/api/pages", { path, content: "x" });
      assert.equal(answer.status, 400);
    });
  }

  for (const body of [
    {},
    { content: 1 },
    { content: "a", body: "b" },
    { frontmatter: [] },
    { frontmatter: { x: "y" }, body: 3 },
  ]) {
    it(`responds 400 to a save of ${JSON.stringify(body)}`, async () => {
      assert.equal((await editor.send("PUT", first, body)).status, 400);
    });
  }

  it("rejects prototype keys and malformed YAML without changing the file", async () => {
    const before = await onDisk("02.blog/01.first/post.md");
    const answer = await editor.send("PUT", first, '{"frontmatter":{"__proto__":{"polluted":1}}}');
    assert.equal(answer.status, 400);
    assert.equal((await editor.send("PUT", first, { content: "---\na: [\n---\n" })).status, 400);
    await editor.json(400, "PUT", first, { body: "lost?", frontmatter: { constructor: 1 } });
    assert.equal(await onDisk("02.blog/01.first/post.md"), before);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("page-source only returns indexed pages", async () => {
    await writeFile(join(site.root, "secret.md"), "# secret");
    await symlink(join(site.root, "secret.md"), join(site.root, "content/link.md"));
    const source = await author.json(
      200,
      "GET",
      "/admin/api/page-source?path=content/01.home/default.md",
    );
    assert.deepEqual(
      Object.keys(source).filter((key) => !["route", "url", "hash"].includes(key)),
      ["sourcePath", "frontmatter", "body", "raw", "size", "format"],
    );
    assert.equal(
      (await author.json(200, "GET", "/admin/api/page-source?route=/blog")).sourcePath,
      "02.blog/blog.md",
    );
    for (const path of [
      "config/site.yaml",
      "../site.yaml",
      "../data/users/x.json",
      "/etc/passwd",
      "link.md",
      "%00",
      "..%2fsite.yaml",
      "a".repeat(1000),
    ]) {
      await author.json(404, "GET", `/admin/api/page-source?path=${path}`);
    }
    for (const query of ["", "?path=", "?path[]=a&path[]=b"]) {
      assert.equal((await author.send("GET", `/admin/api/page-source${query}`)).status, 400, query);
    }
  });
});
