import assert from "node:assert/strict";
import { bootAdmin } from "../../../../support/sites/admin-site.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

const files = {
  "admin.yaml": `roles:
  blogger:
    permissions: [pages.read, pages.create, pages.update, pages.delete, pages.publish, media.upload, media.delete]
    paths: ["blog/**"]
  publisher:
    permissions: [pages.publish]
    paths: ["about/**"]
`,
  "content/03.about/default.md": "---\ntitle: About\nstatus: draft\n---\nUs.\n",
  "content/03.about/team.png": Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};
const OWN = "02.blog/01.first/post.md";
const OTHER = "03.about/default.md";

describe("roles of admin.yaml", () => {
  const site = useAdmin({ files });
  const blogger = site.user("blogger");

  const refused = async (method: string, path: string, body?: unknown) => {
    const { error } = await blogger.json(403, method, `/admin/api${path}`, body);
    assert.match(error, /^permission (pages|media)\.\w+ is needed for .*limit it to blog\/\*\*$/);
    return String(error);
  };

  it("are listed with the built-in ones", async () => {
    const admin = await site.as("admin");
    const { items, permissions } = await admin.json(200, "GET", "/admin/api/roles");
    assert.deepEqual(
      items.map(({ name, builtIn }: Record<string, unknown>) => [name, builtIn]),
      [
        ["admin", true],
        ["editor", true],
        ["author", true],
        ["blogger", false],
        ["publisher", false],
      ],
    );
    assert.deepEqual(items[3].paths, ["blog/**"]);
    assert.equal(items[0].paths, null);
    assert.equal(permissions.length, 16);
    await blogger.json(403, "GET", "/admin/api/roles");
    const session = await blogger.json(200, "GET", "/admin/api/session");
    assert.deepEqual(session.paths["pages.update"], ["blog/**"]);
  });

  it("list only the pages below their paths", async () => {
    const { items, total } = await blogger.json(200, "GET", "/admin/api/pages");
    assert.ok(
      items.every(({ sourcePath }: { sourcePath: string }) => sourcePath.startsWith("02.blog/")),
    );
    assert.equal(total, 3);
    const { items: planned } = await blogger.json(200, "GET", "/admin/api/workflow/scheduled");
    assert.deepEqual(planned, []);
  });

  it("read pages, versions, status and media below their paths", async () => {
    for (const path of [
      `/pages/${OWN}`,
      `/pages/content/${OWN}`,
      `/pages/${OWN}/references`,
      `/history/${OWN}`,
      `/workflow/status/${OWN}`,
      `/workflow/scheduled/${OWN}`,
      `/page-source?path=${OWN}`,
      `/page-source?route=/blog/first`,
      `/media?path=${OWN}`,
    ]) {
      await blogger.json(200, "GET", `/admin/api${path}`);
    }
    await blogger.json(200, "POST", "/admin/api/render-markdown", { markdown: "# Hi" });
  });

  it("read nothing elsewhere; the 403 names permission and path", async () => {
    for (const path of [
      `/pages/${OTHER}`,
      `/pages/content/${OTHER}`,
      `/pages/02.blog/../${OTHER}`.replace("..", "%2e%2e"),
      `/pages/${OTHER}/references`,
      `/history/${OTHER}`,
      `/history/${OTHER}/1/diff`,
      `/workflow/status/${OTHER}`,
      `/workflow/scheduled/${OTHER}`,
      `/page-source?path=${OTHER}`,
      `/page-source?route=/about`,
      `/media?path=${OTHER}`,
      `/media?path=`,
      `/media/meta?path=03.about/team.png`,
      "/search/analytics",
      "/webhooks/deliveries",
    ]) {
      const answer = await blogger.send("GET", `/admin/api${path}`);
      assert.ok([403, 404].includes(answer.status), `${path}: ${answer.status}`);
      if (!path.includes("%2e")) assert.equal(answer.status, 403, path);
    }
    const error = await refused("GET", `/pages/${OTHER}`);
    assert.equal(
      error,
      `permission pages.read is needed for "${OTHER}"; your roles limit it to blog/**`,
    );
  });

  it("write only below their paths", async () => {
    const content = "---\ntitle: New\n---\nText.\n";
    await blogger.json(201, "POST", "/admin/api/pages", {
      path: "02.blog/03.new/post.md",
      content,
    });
    await refused("POST", "/pages", { path: "03.about/new/default.md", content });
    const typed = { parent: "/about", template: "default", frontmatter: { title: "New" } };
    await refused("POST", "/pages", typed);
    await refused("PUT", `/pages/${OTHER}`, { body: "Hacked.\n" });
    await refused("DELETE", `/pages/${OTHER}`);
    await refused("POST", "/workflow/transition", { path: OTHER, to: "published" });
    const scheduledAt = "2100-01-01T00:00:00Z";
    await refused("POST", "/workflow/schedule", { path: OTHER, action: "publish", scheduledAt });
    await refused("DELETE", `/workflow/schedule/${OTHER}?action=publish`);
    await refused("POST", `/history/${OTHER}/1/restore`);
    await refused("PUT", "/media/meta", { path: "03.about/team.png", meta: { alt: "x" } });
    await refused("DELETE", "/media?path=03.about/team.png");
    const change = { changes: [{ op: "content.write", path: `content/${OTHER}`, content }] };
    assert.equal((await blogger.send("POST", "/admin/api/dev/apply", change)).status, 403);
    const source = await site.site.use("content").source(OTHER);
    assert.match(source?.raw ?? "", /^---\ntitle: About\nstatus: draft\n---\nUs\.\n$/);
  });

  it("write, publish and schedule below their paths", async () => {
    const path = "02.blog/02.second/post.md";
    await blogger.json(200, "PUT", `/admin/api/pages/${path}`, { body: "Better.\n" });
    await blogger.json(200, "POST", "/admin/api/workflow/transition", { path, to: "published" });
    const scheduledAt = "2100-01-01T00:00:00Z";
    const plan = { path, action: "unpublish", scheduledAt };
    await blogger.json(201, "POST", "/admin/api/workflow/schedule", plan);
    const { total } = await blogger.json(200, "GET", "/admin/api/workflow/scheduled");
    assert.equal(total, 1);
    await blogger.json(200, "DELETE", `/admin/api/workflow/schedule/${path}?action=unpublish`);
    await blogger.json(200, "POST", "/admin/api/workflow/transition", { path, to: "draft" });
    await blogger.json(200, "POST", `/admin/api/history/${path}/1/restore`);
  });

  it("move pages only between their paths", async () => {
    const path = "02.blog/03.new/post.md";
    await refused("POST", "/pages/move", { path, to: "03.about/new/post.md" });
    await refused("POST", "/pages/move", { path: OTHER, to: "02.blog/about/default.md" });
    await refused("POST", "/pages/reorder", { path: OWN, target: OTHER });
    await refused("POST", "/pages/reorder", { path: "02.blog/blog.md", target: OTHER });
    await blogger.json(200, "POST", "/admin/api/pages/move", {
      path,
      to: "02.blog/04.new/post.md",
    });
    await blogger.json(200, "DELETE", "/admin/api/pages/02.blog/04.new/post.md");
  });

  it("upload media only below their paths", async () => {
    const upload = (pagePath: string) => {
      const form = new FormData();
      form.set("pagePath", pagePath);
      form.set("file", new Blob([files["content/03.about/team.png"]]), "pixel.png");
      return blogger.send("POST", "/admin/api/media/upload", form);
    };
    assert.equal((await upload(OWN)).status, 201);
    const elsewhere = await upload(OTHER);
    assert.equal(elsewhere.status, 403);
    assert.match(await elsewhere.text(), /media\.upload.*03\.about\/pixel\.png/);
  });

  it("take their part of a batch, and report the rest", async () => {
    const operations = [
      { op: "tag", path: OWN, value: "own" },
      { op: "tag", path: OTHER, value: "foreign" },
      { op: "publish", path: OTHER },
      { op: "delete", path: OTHER },
      { op: "set", path: `02.blog/../${OTHER}`, frontmatter: { title: "x" } },
      { op: "move", path: OWN, to: "03.about/01.first/post.md" },
      { op: "move", path: OTHER, to: "02.blog/about/default.md" },
    ];
    const { results, summary } = await blogger.json(200, "POST", "/admin/api/batch", {
      operations,
    });
    assert.equal(summary.done, 1);
    assert.equal(results[0].status, "done");
    for (const { status, code } of results.slice(1)) {
      assert.equal(status, "error");
      assert.ok([400, 403, 404].includes(code), String(code));
    }
  });

  it("see and use only their part of the trash", async () => {
    const editor = await site.as("editor", { username: "trash-editor" });
    const remove = async (path: string) => {
      const content = "---\ntitle: Old\n---\n";
      await editor.json(201, "POST", "/admin/api/pages", { path, content });
      return (await editor.json(200, "DELETE", `/admin/api/pages/${path}`)).trashId as string;
    };
    const [own, foreign, kept] = [
      await remove("02.blog/07.old/post.md"),
      await remove("03.about/old/default.md"),
      await remove("02.blog/08.old/post.md"),
    ];
    const { items } = await blogger.json(200, "GET", "/admin/api/trash");
    assert.ok(items.length >= 2);
    assert.ok(items.every(({ path }: { path: string }) => path.startsWith("02.blog/")));
    await refused("POST", "/trash", { id: foreign });
    await refused("DELETE", `/trash/${foreign}`);
    await blogger.json(200, "POST", "/admin/api/trash", { id: own });
    await blogger.json(200, "DELETE", `/admin/api/trash/${kept}`);
    await blogger.json(200, "DELETE", "/admin/api/trash");
    const left = await editor.json(200, "GET", "/admin/api/trash");
    assert.deepEqual(
      left.items.map(({ id }: { id: string }) => id),
      [foreign],
    );
  });

  it("see only their files in the media index", async () => {
    const { items, total, folders } = await blogger.json(200, "GET", "/admin/api/media");
    assert.equal(total, items.length);
    assert.ok(total > 0);
    assert.ok(items.every(({ path }: { path: string }) => path.startsWith("02.blog/")));
    assert.ok(folders.every((folder: string) => folder.startsWith("02.blog")));
    await blogger.json(200, "GET", `/admin/api/media?path=${OWN}`);
  });

  it("see only their preview links", async () => {
    const editor = await site.as("editor", { username: "link-editor" });
    const make = async (path: string) =>
      (await editor.json(201, "POST", "/admin/api/preview-links", { path })).id as string;
    const [own, foreign] = [await make(OWN), await make(OTHER)];
    const { items } = await blogger.json(200, "GET", "/admin/api/preview-links");
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [own],
    );
    await refused("DELETE", `/preview-links/${foreign}`);
    await blogger.json(200, "DELETE", `/admin/api/preview-links/${own}`);
  });

  it("receive events of their pages only", async () => {
    const controller = new AbortController();
    const answer = await fetch(`${site.url}/admin/api/events`, {
      headers: { cookie: blogger.cookie },
      signal: controller.signal,
    });
    assert.equal(answer.status, 200);
    const editor = await site.as("editor", { username: "event-editor" });
    const save = (path: string, title: string) =>
      editor.json(200, "PUT", `/admin/api/pages/${path}`, { frontmatter: { title } });
    await blogger.json(200, "POST", "/admin/api/events/presence", { path: null });
    await refused("POST", "/events/presence", { path: OTHER });
    await editor.json(200, "POST", "/admin/api/events/presence", { path: OTHER });
    await save(OTHER, "Seen by others");
    await save(OWN, "Seen by all");
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.includes("Seen by all")) break;
    }
    controller.abort();
    assert.doesNotMatch(text, /Seen by others|03\.about/);
  });

  it("see unpublished pages only with pages.read for the whole site", async () => {
    const author = await site.as("author");
    assert.equal((await author.send("GET", "/api/pages/about")).status, 200);
    assert.equal((await blogger.send("GET", "/api/pages/about")).status, 404);
    const dashboard = await blogger.send("GET", "/admin");
    assert.doesNotMatch(await dashboard.text(), /About/);
  });

  it("do not lend the paths of one role to the permissions of another", async () => {
    const users = site.site.use("users");
    await users.update(blogger.id, (user) => ({ ...user, roles: ["author", "publisher"] }));
    try {
      const draft = "02.blog/02.second/post.md";
      const transition = (path: string) =>
        blogger.send("POST", "/admin/api/workflow/transition", { path, to: "published" });
      assert.equal((await transition(draft)).status, 403);
      const change = { frontmatter: { status: "published" } };
      await blogger.json(403, "PUT", `/admin/api/pages/${draft}`, change);
      const published = await transition(OTHER);
      assert.equal(published.status, 200, await published.text());
    } finally {
      await users.update(blogger.id, (user) => ({ ...user, roles: ["blogger"] }));
    }
  });

  it("limit tokens of their accounts, also those with more permissions", async () => {
    const program = await site.withToken(["pages.read", "users.manage"], { userId: blogger.id });
    assert.equal((await program.send("GET", `/admin/api/pages/${OWN}`)).status, 200);
    assert.equal((await program.send("GET", `/admin/api/pages/${OTHER}`)).status, 403);
    assert.equal((await program.send("GET", "/admin/api/roles")).status, 403);
  });
});

describe("the setting roles", () => {
  for (const [yaml, reason] of [
    ["roles:\n  admin:\n    permissions: [pages.read]\n", /admin, editor or author/],
    ["roles:\n  blogger:\n    permissions: [pages.write]\n", /roles\.blogger\.permissions/],
    ["roles:\n  blogger:\n    permissions: []\n", /roles\.blogger\.permissions/],
    ["roles:\n  blogger:\n    permissions: [pages.read]\n    paths: [/etc]\n", /paths/],
  ] as const) {
    it(`rejects ${JSON.stringify(yaml)}`, async () => {
      await assert.rejects(bootAdmin({ files: { "admin.yaml": yaml } }), reason);
    });
  }
});
