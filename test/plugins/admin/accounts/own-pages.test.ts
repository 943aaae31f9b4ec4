import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootAdmin, type AdminClient, type AdminSite } from "../../../support/sites/admin-site.js";

const WRITER = [
  "pages.read",
  "pages.create",
  "pages.update",
  "pages.delete",
  "pages.publish",
  "media.upload",
  "media.delete",
];
const FILE = Buffer.from("%PDF-1.4\n").toString("base64");
const FIRST = "02.blog/01.first/post.md";

/** A site whose role `writer` changes pages of its own only; `more` adds files of the content folder. */
function bootWriters(more: Readonly<Record<string, string>> = {}): Promise<AdminSite> {
  const files = Object.entries(more).map(([path, text]) => [`content/${path}`, text] as const);
  return bootAdmin({
    files: Object.fromEntries(files),
    settings: {
      system: { languages: { default: "en", supported: ["en", "de"] } },
      admin: {
        roles: {
          writer: { permissions: WRITER, pages: "own" },
          contributor: {
            permissions: ["pages.read", "pages.create", "pages.update", "media.upload"],
            pages: "own",
          },
          corrector: { permissions: WRITER },
          boss: {
            permissions: [...WRITER, "users.manage", "config.update", "plugins.manage"],
            pages: "own",
          },
          blogger: { permissions: WRITER, paths: ["blog/**"] },
        },
      },
    },
  });
}

describe("a role with `pages: own`", () => {
  let site: AdminSite;
  let writer: AdminClient;
  let editor: AdminClient;
  beforeEach(async () => {
    site = await bootWriters();
    writer = await site.as("writer", { username: "ada" });
    editor = await site.as("editor");
  });
  afterEach(() => site.close());

  const text = (path: string): Promise<string> =>
    readFile(join(site.root, "content", path), "utf8");
  const page = (path: string): string => `/admin/api/pages/${path}`;
  /** Creates a page below the blog, which has no owner. */
  const create = async (
    author: AdminClient,
    name: string,
    frontmatter = "title: Mine\n",
  ): Promise<string> => {
    const path = `02.blog/${name}/post.md`;
    const content = `---\n${frontmatter}---\nText.\n`;
    await author.json(201, "POST", "/admin/api/pages", { path, content });
    return path;
  };

  it("gives a page to the account that creates it, whatever its role", async () => {
    const mine = await create(writer, "03.mine");
    assert.match(await text(mine), new RegExp(`^owner: ${writer.id}$`, "m"));
    const theirs = await create(editor, "04.theirs");
    assert.match(await text(theirs), new RegExp(`^owner: ${editor.id}$`, "m"));
  });

  it("changes, schedules, publishes, moves and deletes pages of one's own", async () => {
    const mine = await create(writer, "03.mine", "title: Mine\nstatus: draft\n");
    await writer.json(200, "PUT", page(mine), { frontmatter: { title: "Changed" } });
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const plan = { path: mine, action: "publish", scheduledAt: at };
    await writer.json(201, "POST", "/admin/api/workflow/schedule", plan);
    await writer.json(200, "DELETE", `/admin/api/workflow/schedule/${mine}?action=publish`);
    await writer.json(200, "POST", "/admin/api/workflow/transition", {
      path: mine,
      to: "published",
    });
    await writer.json(200, "POST", "/admin/api/pages/move", {
      path: "02.blog/03.mine",
      to: "02.blog/05.moved",
    });
    const upload = { pagePath: "02.blog/05.moved/post.md", name: "a.pdf", data: FILE };
    await writer.json(201, "POST", "/admin/api/media/file", upload);
    await writer.json(200, "DELETE", `${page("02.blog/05.moved/post.md")}?folder=true`);
  });

  it("reads pages of others in lists, and says what it may not do with them", async () => {
    const mine = await create(writer, "03.mine");
    const { items } = await writer.json(200, "GET", "/admin/api/pages");
    const lacks = new Map<string, string[]>(
      items.map((row: { sourcePath: string; lacks?: string[] }) => [row.sourcePath, row.lacks]),
    );
    assert.deepEqual(lacks.get(FIRST), [
      "pages.update",
      "pages.delete",
      "pages.publish",
      "media.upload",
      "media.delete",
    ]);
    assert.equal(lacks.get(mine), undefined);
    const source = await writer.json(200, "GET", page(FIRST));
    assert.ok(source.lacks.includes("pages.update"));
    const own = await writer.json(200, "GET", "/admin/api/pages?own=true");
    assert.deepEqual(
      own.items.map(({ sourcePath }: { sourcePath: string }) => sourcePath),
      [mine],
    );
    const session = await writer.json(200, "GET", "/admin/api/session");
    assert.ok(session.ownPages.includes("pages.publish"));
    assert.ok(!session.ownPages.includes("pages.read"));
  });

  for (const owner of ["ID", "[ID, someone]"]) {
    it(`does not take a page over by writing owner: ${owner} into it`, async () => {
      const before = await text(FIRST);
      const named = owner.replace("ID", writer.id);
      const content = before.replace("title:", `owner: ${named}\ntitle:`);
      for (const body of [{ content }, { frontmatter: { owner: writer.id } }]) {
        await writer.json(403, "PUT", page(FIRST), body);
      }
      await writer.json(403, "PUT", `/admin/api/drafts/${FIRST}`, { content });
      const set = { op: "set", path: FIRST, frontmatter: { owner: writer.id } };
      const { results } = await writer.json(200, "POST", "/admin/api/batch", { operations: [set] });
      assert.equal(results[0].code, 403);
      assert.equal(await text(FIRST), before);
    });
  }

  it("does not give a page away, or drop its owner", async () => {
    const mine = await create(writer, "03.mine");
    const before = await text(mine);
    for (const owner of ["someone", [writer.id, "someone"], null]) {
      const refused = await writer.json(403, "PUT", page(mine), { frontmatter: { owner } });
      assert.match(refused.error, /owner/);
    }
    const content = before.replace(/^owner: .*\n/m, "");
    await writer.json(403, "PUT", page(mine), { content });
    assert.equal(await text(mine), before);
    await writer.json(200, "PUT", page(mine), { content: before.replace("Text.", "More.") });
  });

  it("does not create a page for another account", async () => {
    const content = "---\ntitle: Given\nowner: someone\n---\n";
    const body = { path: "02.blog/09.given/post.md", content };
    await writer.json(403, "POST", "/admin/api/pages", body);
  });

  for (const [name, path, frontmatter] of [
    ["an earlier number", "02.blog/00.first/post.md", ""],
    ["a slug", "02.blog/00.other/post.md", "slug: first\n"],
    ["a translation elsewhere", "02.blog/09.other/post.de.md", "slug: first\n"],
    ["the alias of another page", "02.blog/00.other/post.md", "routes: { aliases: [/known] }\n"],
    ["the name of a folder's page", "02.blog/01.first/default.md", ""],
  ] as const) {
    it(`does not take the address of a page of another account by ${name}`, async () => {
      const aliases = { routes: { aliases: ["/known"] } };
      await editor.json(200, "PUT", page(FIRST), { frontmatter: aliases });
      const content = `---\ntitle: Taken\n${frontmatter}---\n`;
      const refused = await writer.json(403, "POST", "/admin/api/pages", { path, content });
      assert.match(refused.error, /address/);
      await editor.json(201, "POST", "/admin/api/pages", { path, content });
    });
  }

  it("does not take an address by moving or changing a page of one's own", async () => {
    const mine = await create(writer, "00.mine");
    await writer.json(403, "PUT", page(mine), { frontmatter: { slug: "first" } });
    const target = { path: "02.blog/00.mine", to: "02.blog/00.first" };
    await writer.json(403, "POST", "/admin/api/pages/move", target);
    await writer.json(200, "PUT", page(mine), { frontmatter: { slug: "free" } });
  });

  it("puts a page beside one of another account, which keeps its number", async () => {
    const mine = await create(writer, "04.mine");
    const second = "02.blog/02.second/post.md";
    const after = { path: mine, target: second, position: "after" };
    const { moves } = await writer.json(200, "POST", "/admin/api/pages/reorder", after);
    assert.deepEqual(moves, [{ path: "02.blog/04.mine", to: "02.blog/03.mine" }]);
    const before = { path: "02.blog/03.mine/post.md", target: second, position: "before" };
    await writer.json(403, "POST", "/admin/api/pages/reorder", before);
  });

  it("counts co-authors, whom an editor names", async () => {
    const second = await site.as("writer", { username: "ines" });
    const mine = await create(writer, "03.mine");
    await second.json(403, "PUT", page(mine), { body: "Ines." });
    const owner = [writer.id, second.id];
    await editor.json(200, "PUT", page(mine), { frontmatter: { owner } });
    await second.json(200, "PUT", page(mine), { body: "Ines." });
    await writer.json(200, "PUT", page(mine), { body: "Ada." });
  });

  it("keeps what another role allows for all pages of a part of the site", async () => {
    const users = site.site.use("users");
    await users.update(writer.id, (user) => ({ ...user, roles: ["writer", "blogger"] }));
    await writer.json(200, "PUT", page(FIRST), { body: "By path." });
    await writer.json(403, "PUT", page("01.home/default.md"), { body: "Not." });
  });

  it("reports the pages of a bulk action that are not one's own, and changes the others", async () => {
    const mine = await create(writer, "03.mine");
    const operations = [FIRST, mine].map((path) => ({ op: "unpublish", path }));
    const { results, summary } = await writer.json(200, "POST", "/admin/api/batch", { operations });
    assert.deepEqual(summary, { total: 2, done: 1, errors: 1 });
    assert.equal(results[0].code, 403);
    assert.match(results[0].error, /not your page/);
  });

  it("says of a page without an owner, such as one that cannot be read, why it is refused", async () => {
    const mine = await create(writer, "03.mine");
    const broken = (await text(mine)).replace("title:", "summary: a: b\ntitle:");
    await site.write(`content/${mine}`, broken);
    await site.site.use("content").refresh([mine]);
    const reason = /names no owner, or its front matter cannot be read/;
    const content = "---\ntitle: Mine\n---\n";
    const { error } = await writer.json(403, "PUT", page(mine), { content });
    assert.match(error, reason);
    assert.equal(await text(mine), broken);
    assert.match((await writer.json(403, "PUT", page(FIRST), { body: "Not." })).error, reason);
    const foreign = await create(editor, "04.foreign");
    await editor.json(200, "PUT", page(foreign), { frontmatter: { owner: editor.id } });
    const refused = await writer.json(403, "PUT", page(foreign), { body: "Not." });
    assert.doesNotMatch(refused.error, reason);
  });

  it("adds translations and modules only to pages of one's own", async () => {
    const mine = await create(writer, "03.mine");
    const content = "---\ntitle: Auf Deutsch\n---\n";
    const add = (status: number, path: string) =>
      writer.json(status, "POST", "/admin/api/pages", { path, content });
    await add(403, FIRST.replace(".md", ".de.md"));
    await add(403, "02.blog/01.first/_part/text.md");
    await add(201, mine.replace(".md", ".de.md"));
    await add(201, "02.blog/03.mine/_part/text.md");
    assert.doesNotMatch(await text("02.blog/03.mine/_part/text.md"), /^owner/m);
    await writer.json(200, "PUT", page("02.blog/03.mine/_part/text.md"), { body: "Part." });
    const target = { path: "02.blog/03.mine/_part", to: "02.blog/01.first/_part" };
    await writer.json(403, "POST", "/admin/api/pages/move", target);
  });

  it("creates pages below those of others, also by moving one there", async () => {
    const mine = await create(writer, "03.mine");
    await create(writer, "01.first/01.below");
    const target = { path: "02.blog/03.mine", to: "02.blog/01.first/02.moved" };
    await writer.json(200, "POST", "/admin/api/pages/move", target);
    assert.ok(!site.site.use("content").generation().bySource.has(mine));
  });

  it("does not delete or move a page of one's own with pages of others below it", async () => {
    await create(writer, "03.mine");
    await create(editor, "03.mine/01.theirs");
    await writer.json(403, "DELETE", `${page("02.blog/03.mine/post.md")}?folder=true`);
    const target = { path: "02.blog/03.mine", to: "02.blog/05.moved" };
    await writer.json(403, "POST", "/admin/api/pages/move", target);
    await writer.json(200, "DELETE", page("02.blog/03.mine/post.md"));
  });

  it("changes media of pages of one's own only", async () => {
    const mine = await create(writer, "03.mine");
    for (const [pagePath, status] of [
      [mine, 201],
      [FIRST, 403],
    ] as const) {
      await writer.json(status, "POST", "/admin/api/media/file", {
        pagePath,
        name: "a.pdf",
        data: FILE,
      });
    }
    const theirs = { pagePath: FIRST, name: "b.pdf", data: FILE };
    await editor.json(201, "POST", "/admin/api/media/file", theirs);
    const path = "02.blog/01.first/b.pdf";
    await writer.json(403, "PUT", "/admin/api/media/meta", { path, meta: { alt: "A" } });
    await writer.json(403, "DELETE", `/admin/api/media?path=${path}`);
    await writer.json(403, "POST", "/admin/api/media/move", { path, folder: mine });
    const own = { path: "02.blog/03.mine/a.pdf", folder: FIRST };
    await writer.json(403, "POST", "/admin/api/media/move", own);
    const { items } = await writer.json(200, "GET", "/admin/api/media");
    const may = items.map((item: { path: string; mayUpload: boolean }) => item.mayUpload);
    assert.deepEqual(may, [false, true]);
  });

  it("copies a page of another as one of its own, with its modules and media", async () => {
    await editor.json(200, "PUT", page(FIRST), { frontmatter: { owner: editor.id } });
    const theirs = { pagePath: FIRST, name: "b.pdf", data: FILE };
    await editor.json(201, "POST", "/admin/api/media/file", theirs);
    const module = { path: "02.blog/01.first/_part/text.md", content: "---\ntitle: Part\n---\n" };
    await editor.json(201, "POST", "/admin/api/pages", module);
    const copy = await writer.json(201, "POST", "/admin/api/pages/duplicate", { path: FIRST });
    assert.equal(copy.frontmatter.owner, writer.id);
    await writer.json(200, "PUT", page(copy.sourcePath), { body: "Mine now." });
  });

  it("restores and purges only what it owned", async () => {
    const mine = await create(writer, "03.mine");
    const upload = { pagePath: mine, name: "a.pdf", data: FILE };
    await writer.json(201, "POST", "/admin/api/media/file", upload);
    await editor.json(200, "DELETE", `${page(mine)}?folder=true`);
    await editor.json(200, "DELETE", page("02.blog/02.second/post.md"));
    const theirs = await create(editor, "04.theirs");
    await editor.json(200, "DELETE", page(theirs));
    const trash = async () => (await writer.json(200, "GET", "/admin/api/trash")).items;
    const items: { id: string; path: string; lacks?: string[] }[] = await trash();
    const idOf = (path: string): string => items.find((one) => one.path === path)?.id ?? "";
    const lacks = Object.fromEntries(items.map((one) => [one.path, one.lacks ?? []]));
    assert.deepEqual(lacks, {
      [mine]: [],
      "02.blog/02.second/post.md": ["pages.create", "pages.delete"],
      [theirs]: ["pages.create", "pages.delete"],
    });
    for (const path of ["02.blog/02.second/post.md", theirs]) {
      await writer.json(403, "POST", "/admin/api/trash", { id: idOf(path) });
      await writer.json(403, "DELETE", `/admin/api/trash/${idOf(path)}`);
    }
    await writer.json(200, "POST", "/admin/api/trash", { id: idOf(mine) });
    await writer.json(200, "DELETE", page(mine));
    assert.deepEqual(await writer.json(200, "DELETE", "/admin/api/trash"), { purged: 1 });
    assert.equal((await trash()).length, 2);
  });

  it("keeps the owners of a page whose version is restored", async () => {
    await editor.json(200, "PUT", page(FIRST), { body: "Two." });
    await editor.json(200, "PUT", page(FIRST), { frontmatter: { owner: writer.id } });
    await site.site.use("history").settled();
    const { items } = await writer.json(200, "GET", `/admin/api/history/${FIRST}`);
    const oldest = Math.min(...items.map(({ n }: { n: number }) => n));
    await writer.json(200, "POST", `/admin/api/history/${FIRST}/${oldest}/restore`);
    assert.match(await text(FIRST), new RegExp(`^owner: ${writer.id}$`, "m"));
    await editor.json(200, "PUT", page(FIRST), { frontmatter: { owner: null } });
    await writer.json(403, "POST", `/admin/api/history/${FIRST}/${oldest}/restore`);
  });

  it("changes, reviews and shows only working copies of its pages", async () => {
    const draft = `/admin/api/drafts/${FIRST}`;
    const content = (await text(FIRST)).replace("First body", "Theirs");
    await editor.json(201, "PUT", draft, { content });
    await writer.json(200, "GET", draft);
    const later = { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() };
    for (const [method, path, body] of [
      ["PUT", draft, { content }],
      ["DELETE", draft, undefined],
      ["POST", `${draft}/publish`, {}],
      ["POST", `${draft}/review`, { requested: true }],
      ["POST", `${draft}/send-back`, { note: "No." }],
      ["POST", `${draft}/schedule`, later],
      ["DELETE", `${draft}/schedule`, undefined],
      ["POST", "/admin/api/preview-links", { path: FIRST }],
    ] as const) {
      await writer.json(403, method, path, body);
    }
    const mine = await create(writer, "03.mine");
    const own = `/admin/api/drafts/${mine}`;
    await writer.json(201, "PUT", own, { content: await text(mine) });
    await writer.json(201, "POST", "/admin/api/preview-links", { path: mine });
    await writer.json(200, "DELETE", own);
  });

  it("leaves a working copy of a page that does not exist yet to the account that began it", async () => {
    const path = "02.blog/07.planned/post.md";
    const draft = `/admin/api/drafts/${path}`;
    const content = "---\ntitle: Planned\n---\n";
    const contributor = await site.as("contributor");
    const { etag } = await contributor.json(201, "PUT", draft, { content });
    const match = { "if-match": `"${etag}"` };
    await writer.json(403, "PUT", draft, { content }, match);
    await writer.json(403, "DELETE", draft);
    await writer.json(403, "POST", `${draft}/publish`, { status: "published" });
    await writer.json(403, "POST", "/admin/api/preview-links", { path });
    await contributor.json(200, "POST", `${draft}/review`, { requested: true });
    await editor.json(200, "POST", `${draft}/publish`, { status: "published" });
    assert.match(await text(path), new RegExp(`^owner: ${contributor.id}$`, "m"));
  });

  it("limits tokens of its accounts too", async () => {
    const mine = await create(writer, "03.mine");
    const token = await site.withToken(WRITER, { userId: writer.id });
    await token.json(403, "PUT", page(FIRST), { body: "Agent." });
    await token.json(200, "PUT", page(mine), { body: "Agent." });
    const made = await create(token, "04.made");
    assert.match(await text(made), new RegExp(`^owner: ${writer.id}$`, "m"));
    const ofSite = await site.withToken(WRITER);
    assert.doesNotMatch(await text(await create(ofSite, "05.free")), /^owner/m);
  });

  it("gives no role, account or setting that may change pages of others", async () => {
    const boss = await site.as("boss");
    const invite = (status: number, role: string) =>
      boss.json(status, "POST", "/admin/api/users", {
        email: `${role}@example.net`,
        roles: [role],
      });
    const refused = await invite(403, "corrector");
    assert.match(refused.error, /pages\.update for pages of others/);
    await invite(201, "writer");
    // Its password would open the pages that the account owns.
    const users = `/admin/api/users/${writer.id}/password`;
    await boss.json(403, "PUT", users, { password: "correct horse battery" });
    const change = { key: "roles.writer", value: { permissions: WRITER } };
    const settings = await boss.json(403, "PATCH", "/admin/api/settings/admin", {
      changes: [change],
    });
    assert.match(settings.error, /for pages of others/);
  });
});

describe("a site without a role with `pages: own`", () => {
  it("writes no owner into pages", async () => {
    const site = await bootAdmin();
    const editor = await site.as("editor");
    const path = "02.blog/03.new/post.md";
    const content = "---\ntitle: New\n---\nText.\n";
    await editor.json(201, "POST", "/admin/api/pages", { path, content });
    assert.equal(await readFile(join(site.root, "content", path), "utf8"), content);
    await site.close();
  });

  it("restores the key owner with a version, as any other", async () => {
    const site = await bootAdmin();
    const editor = await site.as("editor");
    const url = `/admin/api/pages/${FIRST}`;
    const file = join(site.root, "content", FIRST);
    await editor.json(200, "PUT", url, { frontmatter: { owner: "the museum" } });
    await editor.json(200, "PUT", url, { frontmatter: { owner: "the city" } });
    await site.site.use("history").settled();
    const { items } = await editor.json(200, "GET", `/admin/api/history/${FIRST}`);
    const before = items
      .map(({ n }: { n: number }) => n)
      .toSorted((a: number, b: number) => b - a)[1];
    await editor.json(200, "POST", `/admin/api/history/${FIRST}/${before}/restore`);
    assert.match(await readFile(file, "utf8"), /^owner: the museum$/m);
    await site.close();
  });

  it("copies the key owner with a page, as any other", async () => {
    const site = await bootAdmin();
    const editor = await site.as("editor");
    const frontmatter = { owner: "the museum" };
    await editor.json(200, "PUT", `/admin/api/pages/${FIRST}`, { frontmatter });
    const copy = await editor.json(201, "POST", "/admin/api/pages/duplicate", { path: FIRST });
    assert.equal(copy.frontmatter.owner, "the museum");
    await site.close();
  });
});
