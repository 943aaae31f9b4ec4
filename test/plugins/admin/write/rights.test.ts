import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { adminPlugins, type AdminClient, signIn } from "../../../support/sites/admin-site.js";
import { gitRemote, page } from "../../../support/servers/git-remote.js";
import { mdxCanary } from "../../../support/rights/targets.js";
import { useAdmin, useFreshAdmin } from "../../../support/sites/use-site.js";

const live = "02.blog/01.first/post.md";
const draft = "02.blog/02.second/post.md";
const gated = "03.members/default.md";
const PDF = Buffer.from("%PDF-1.4\n").toString("base64");
const roles = {
  blogger: {
    permissions: ["pages.read", "pages.create", "pages.update", "pages.publish", "media.upload"],
    paths: ["blog/**"],
  },
};

/** The site of these tests, its people, and what they look at. */
function useRights(use: typeof useAdmin) {
  const site = use({
    plugins: [...adminPlugins, "render"],
    settings: { admin: { roles }, system: { server: { rate_limit: false } } },
    files: {
      "content/02.blog/01.first/file.pdf": "%PDF-1.4\n",
      "content/02.blog/05.code/post.mdx": "---\ntitle: Code\nstatus: draft\n---\n\n{1 + 1}\n",
      "content/02.blog/06.parent/post.md": "---\ntitle: Parent\nstatus: draft\n---\nText.\n",
      "content/02.blog/06.parent/01.code/post.mdx":
        "---\ntitle: Child\nstatus: draft\n---\nText.\n",
      "content/03.members/default.md": "---\ntitle: Members\nroles: [member]\n---\nFor members.\n",
      "content/03.members/_secret/text.md": "---\ntitle: Secret module\n---\nModule text.\n",
      "content/03.members/file.pdf": "%PDF-1.4\n",
    },
  });
  const onDisk = (path: string): string => join(site.root, "content", path);
  const batch = async (who: AdminClient, ...operations: unknown[]) =>
    (await who.json(200, "POST", "/admin/api/batch", { operations })).results[0];
  const canary = (): string => join(site.root, "ran-as-code");
  return { site, author: site.user("author"), editor: site.user("editor"), canary, onDisk, batch };
}

describe("rights to what a change writes", () => {
  const { site, author, editor, canary, onDisk, batch } = useRights(useAdmin);
  const blogger = site.user("blogger");

  describe("code needs plugins.manage", () => {
    for (const name of ["post.mdx", "post.tsx", "post.MDX", "post.en.mdx"]) {
      it(`for a move of a draft to ${name} in a batch`, async () => {
        const content = mdxCanary(canary());
        await author.json(200, "PUT", `/admin/api/pages/${draft}`, { content });
        const to = `02.blog/02.second/${name}`;
        for (const who of [
          author,
          editor,
          blogger,
          await site.withToken(["pages.read", "pages.update"]),
        ]) {
          const result = await batch(who, { op: "move", path: draft, to, redirect: false });
          assert.equal(result.status, "error", JSON.stringify(result));
          await who.send("GET", "/blog/second");
        }
        assert.ok(existsSync(onDisk(draft)) && !existsSync(onDisk(to)));
        assert.ok(!existsSync(canary()), "the text ran");
      });
    }

    it("for an admin's move to another extension as well: a move keeps it", async () => {
      const admin = await site.as("admin");
      const move = { path: draft, to: "02.blog/02.second/post.mdx" };
      assert.equal((await admin.send("POST", "/admin/api/pages/move", move)).status, 400);
      assert.equal((await batch(admin, { op: "move", ...move })).code, 400);
      assert.ok(existsSync(onDisk(draft)));
    });

    for (const [what, path, to] of [
      ["page", "02.blog/05.code/post.mdx", "02.blog/09.code/post.mdx"],
      ["folder", "02.blog/05.code", "02.blog/09.code"],
      ["folder with code below", "02.blog/06.parent", "02.blog/09.parent"],
    ] as const) {
      it(`for a move of a ${what}`, async () => {
        for (const who of [author, editor]) {
          assert.equal((await who.send("POST", "/admin/api/pages/move", { path, to })).status, 403);
        }
        assert.ok(existsSync(onDisk(path)) && !existsSync(onDisk(to)));
      });
    }

    it("for a change of its status, and of its front matter in dev/apply", async () => {
      const code = "02.blog/05.code/post.mdx";
      const before = await readFile(onDisk(code), "utf8");
      const transition = { path: code, to: "in_review" };
      const answer = await author.send("POST", "/admin/api/workflow/transition", transition);
      assert.equal(answer.status, 403);
      const changes = [
        { op: "frontmatter", path: `content/${code}`, patch: { title: "Mine" } },
        { op: "write", path: "content/02.blog/02.second/code.ts", content: "export default 1;\n" },
        { op: "write", path: "content/02.blog/02.second/post.MDX", content: "Text.\n" },
      ];
      const { results } = await author.json(200, "POST", "/admin/api/dev/apply", { changes });
      for (const { status } of results) assert.equal(status, "error", JSON.stringify(results));
      assert.equal(await readFile(onDisk(code), "utf8"), before);
    });

    it("for files among the media that are named like code", async () => {
      for (const name of ["a.mdx", "a.TSX", "a.mjs", "a.MDX"]) {
        const file = { pagePath: draft, name, data: PDF };
        assert.equal((await author.send("POST", "/admin/api/media/file", file)).status, 415, name);
      }
    });
  });

  describe("what the public sees needs pages.publish", () => {
    const shown = async (path: string): Promise<string> =>
      (await (await site.fetch(path)).text()).replaceAll(/nonce="[^"]*"/g, "");

    it("for a published page in dev/apply", async () => {
      const before = await shown("/blog/first");
      const path = `content/${live}`;
      const changes = [
        { op: "write", path, content: "---\ntitle: Mine\n---\nMine.\n" },
        { op: "frontmatter", path, patch: { title: "Mine" } },
        { op: "frontmatter", path, patch: { routes: { aliases: ["/mine"] } } },
      ];
      const { results } = await author.json(200, "POST", "/admin/api/dev/apply", { changes });
      for (const { status } of results) assert.equal(status, "error", JSON.stringify(results));
      assert.equal(await shown("/blog/first"), before);
      assert.equal((await site.fetch("/mine")).status, 404);
    });

    it("for a file of a published page, and for its description", async () => {
      const file = { pagePath: live, name: "file.pdf", data: `${PDF}AAAA`, overwrite: true };
      const meta = { path: "02.blog/01.first/file.pdf", meta: { alt: "Mine" } };
      assert.equal((await author.send("POST", "/admin/api/media/file", file)).status, 403);
      assert.equal((await author.send("PUT", "/admin/api/media/meta", meta)).status, 403);
      assert.equal((await editor.send("PUT", "/admin/api/media/meta", meta)).status, 200);
    });

    it("for a file of a gated page, whose sidecar opens nothing", async () => {
      const meta = { path: "03.members/file.pdf", meta: { roles: null, published: true } };
      await author.send("PUT", "/admin/api/media/meta", meta);
      assert.notEqual((await site.fetch("/content-media/03.members/file.pdf")).status, 200);
    });

    it("for a date on which a draft is published", async () => {
      const at = { path: draft, action: "publish", scheduledAt: "2037-01-01T00:00:00Z" };
      assert.equal((await author.send("POST", "/admin/api/workflow/schedule", at)).status, 403);
      const frontmatter = { status: "published", publish_date: "2037-01-01" };
      const answer = await author.send("PUT", `/admin/api/pages/${draft}`, { frontmatter });
      assert.equal(answer.status, 403);
    });
  });

  describe("a limit to paths holds", () => {
    const form = (path: string) =>
      new URLSearchParams({ path, content: "Text.", _csrf: blogger.csrf }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };

    it("for the form of the preview", async () => {
      const answer = await blogger.send("POST", "/admin/preview", form(gated), type);
      assert.equal(answer.status, 403);
      assert.doesNotMatch(await answer.text(), /Module text/);
      assert.equal((await blogger.send("POST", "/admin/preview", form(draft), type)).status, 200);
    });

    it("for addresses that a page claims", async () => {
      const claim = (alias: string, path = draft) =>
        blogger.send("PUT", `/admin/api/pages/${path}`, {
          frontmatter: { status: "published", routes: { aliases: [alias] } },
        });
      assert.equal((await claim("/brandnew")).status, 403);
      assert.equal((await claim("/blogs", live)).status, 403);
      assert.equal((await site.fetch("/brandnew")).status, 404);
      assert.equal((await claim("/blog/older")).status, 200);
    });

    it("for both names of a move in a batch", async () => {
      const out = { op: "move", path: draft, to: "03.members/02.mine/post.md" };
      const into = { op: "move", path: gated, to: "02.blog/09.mine/default.md" };
      for (const move of [out, into]) assert.equal((await batch(blogger, move)).code, 403);
      assert.ok(existsSync(onDisk(draft)) && existsSync(onDisk(gated)));
    });
  });

  it("limits a token with fields to them, for media too", async () => {
    const token = await site.withToken(
      ["pages.read", "pages.update", "pages.publish", "media.upload", "media.delete"],
      { fields: ["title"] },
    );
    const file = { pagePath: draft, name: "new.pdf", data: PDF };
    assert.equal((await token.send("POST", "/admin/api/media/file", file)).status, 403);
    const path = "02.blog/01.first/file.pdf";
    assert.equal((await token.send("DELETE", `/admin/api/media?path=${path}`)).status, 403);
    const meta = { path, meta: { alt: "Mine" } };
    assert.equal((await token.send("PUT", "/admin/api/media/meta", meta)).status, 403);
    assert.ok(existsSync(onDisk(path)) && !existsSync(onDisk("02.blog/02.second/new.pdf")));
  });
});

describe("code in the place of a page needs plugins.manage", () => {
  const { site, author, editor, canary, onDisk, batch } = useRights(useFreshAdmin);
  /** A page becomes code: by a move of an admin where that is possible, else on the disk. */
  const becomesCode = async (path: string): Promise<string> => {
    const code = path.replace(/md$/, "mdx");
    await batch(await site.as("admin"), { op: "move", path, to: code, redirect: false });
    if (existsSync(onDisk(code))) return code;
    await site.site.use("content").update(async () => {
      await rename(onDisk(path), onDisk(code));
      return [path, code];
    });
    return code;
  };

  it("for a version that is restored into a page that is code now", async () => {
    await author.json(200, "PUT", `/admin/api/pages/${draft}`, { content: mdxCanary(canary()) });
    const clean = "---\ntitle: Second\nstatus: draft\n---\nClean.\n";
    await author.json(200, "PUT", `/admin/api/pages/${draft}`, { content: clean });
    await site.site.use("history").settled();
    const code = await becomesCode(draft);
    await site.site.use("history").settled();
    const { items } = await editor.json(200, "GET", `/admin/api/history/${code}`);
    for (const { n } of items) {
      const { status } = await author.send("POST", `/admin/api/history/${code}/${n}/restore`);
      assert.equal(status, 403, `version ${n}`);
    }
    assert.equal(await readFile(onDisk(code), "utf8"), clean);
    await author.send("GET", "/blog/second");
    assert.ok(!existsSync(canary()), "the text ran");
  });

  it("for a preview link of a working copy whose page is code now", async () => {
    const content = mdxCanary(canary());
    await author.json(201, "PUT", `/admin/api/drafts/${draft}`, { content });
    const moved = await becomesCode(draft);
    const made = await author.send("POST", "/admin/api/preview-links", { path: moved });
    const { url = "" } = (await made.json()) as { url?: string };
    if (url !== "") await site.fetch(new URL(url).pathname);
    assert.ok(!existsSync(canary()), "the text ran");
    assert.equal(made.status, 403);
  });

  it("for code in the trash", async () => {
    const admin = await site.as("admin");
    const code = "02.blog/05.code/post.mdx";
    const { trashId: id } = await admin.json(200, "DELETE", `/admin/api/pages/${code}`);
    assert.equal((await editor.send("POST", "/admin/api/trash", { id })).status, 403);
    assert.ok(!existsSync(onDisk(code)));
  });
});

describe("rights to the text that resolves a conflict with a git remote", () => {
  const code = "05.code/default.mdx";
  const shown = "06.page/default.md";
  const draftPage = (body: string): string => `---\ntitle: T\nstatus: draft\n---\n\n${body}\n`;

  for (const [what, path, textOf] of [
    ["a published page needs pages.publish", shown, (body: string) => page("T", body)],
    ["code needs plugins.manage", code, draftPage],
  ] as const) {
    it(`of ${what}`, async () => {
      const remote = await gitRemote();
      try {
        await remote.push({ [path]: textOf("first") });
        const site = await remote.boot("site", { sync: { push: false } });
        const gitSync = site.site.use("gitSync");
        const admin = await signIn(site, "admin", "an-admin");
        const author = await signIn(site, "author", "an-author");
        const content = textOf("ours");
        await admin.json(200, "PUT", `/admin/api/pages/${path}`, { content });
        await remote.push({ [path]: textOf("theirs") });
        await gitSync.sync();
        const { items } = await author.json(200, "GET", "/admin/api/conflicts");
        const [{ id }] = items;
        const canary = join(site.root, "ran-as-code");
        const mine = path === code ? mdxCanary(canary) : page("T", "mine");
        for (const resolution of [{ content: mine }, { take: "ours" }]) {
          const answer = await author.send("POST", `/admin/api/conflicts/${id}`, resolution);
          assert.equal(answer.status, 403, JSON.stringify(resolution));
        }
        await author.send("GET", "/code");
        assert.ok(!existsSync(canary), "the text ran");
        const file = join(site.root, "content", path);
        assert.equal(await readFile(file, "utf8"), textOf("theirs"));
        await admin.json(200, "POST", `/admin/api/conflicts/${id}`, { take: "ours" });
        assert.equal(await readFile(file, "utf8"), content);
      } finally {
        await remote.close();
      }
    });
  }
});
