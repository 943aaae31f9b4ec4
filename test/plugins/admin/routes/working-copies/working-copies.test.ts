import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useAdmin } from "../../../../support/sites/use-site.js";

const path = "02.blog/01.first/post.md";
const url = `/admin/api/drafts/${path}`;
const lines = "---\ntitle: First\n---\none\n\ntwo\n\nthree\n";

describe("working copies of the admin API", () => {
  const now = Date.parse("2026-05-01T00:00:00Z");
  const files = { [`content/${path}`]: lines };
  const site = useAdmin({ files, clock: { now: () => now } });
  const editor = site.user("editor");
  const author = site.user("author");
  const admin = site.user("admin");
  beforeEach(async () => {
    const { items } = await admin.json(200, "GET", "/admin/api/drafts");
    for (const { sourcePath } of items) {
      await admin.json(200, "DELETE", `/admin/api/drafts/${encodeURI(sourcePath)}`);
    }
    await site.site.use("content").apply([{ op: "write", path, content: lines }]);
  });
  const onDisk = () => readFile(join(site.root, "content", path), "utf8");
  const match = (etag: string) => ({ "if-match": `"${etag}"` });
  const published = async () => (await editor.json(200, "GET", `/admin/api/pages/${path}`)).hash;

  it("are saved, listed, read and discarded; the page stays as it is", async () => {
    const content = lines.replace("First", "Changed");
    const saved = await author.json(201, "PUT", url, { content, baseEtag: await published() });
    assert.equal(saved.merged, false);
    assert.equal(saved.isBehind, false);
    const { items, total } = await editor.json(200, "GET", "/admin/api/drafts");
    assert.equal(total, 1);
    const [{ sourcePath, title, author: by, updatedAt, review, content: none }] = items;
    assert.deepEqual([sourcePath, title, updatedAt, review], [path, "Changed", now, null]);
    assert.deepEqual([by.id, none], [author.id, undefined]);
    const answer = await editor.send("GET", url);
    assert.equal(answer.headers.get("etag"), `"${saved.etag}"`);
    assert.equal(((await answer.json()) as { content: string }).content, content);
    assert.equal(await onDisk(), lines);
    assert.match(await (await site.fetch("/api/pages/blog/first")).text(), /"title":"First"/);
    assert.equal((await author.send("DELETE", url, undefined, match("0".repeat(40)))).status, 409);
    await author.json(200, "DELETE", url, undefined, match(saved.etag));
    assert.equal((await editor.send("GET", url)).status, 404);
    assert.equal((await editor.send("DELETE", url)).status, 404);
  });

  it("are listed by page, with none for a page without one", async () => {
    const one = `/admin/api/drafts?path=${encodeURIComponent(path)}`;
    assert.deepEqual(await editor.json(200, "GET", one), { items: [], total: 0 });
    const saved = await author.json(201, "PUT", url, { content: "Half." });
    const { items, total } = await editor.json(200, "GET", one);
    assert.deepEqual([total, items[0].etag], [1, saved.etag]);
    const other = await editor.json(200, "GET", "/admin/api/drafts?path=01.home/default.md");
    assert.equal(other.total, 0);
  });

  it("are stored in the runtime folder, unreadable for other users, and survive a restart", async () => {
    await author.json(201, "PUT", url, { content: "half\n---\n[" });
    const folder = join(site.root, ".dune/admin/drafts");
    const [file = ""] = await readdir(folder);
    assert.match(file, /^[0-9a-f]{40}\.json$/);
    assert.equal(JSON.parse(await readFile(join(folder, file), "utf8")).content, "half\n---\n[");
    await writeFile(join(folder, file), "{ broken");
    assert.equal((await editor.send("GET", url)).status, 404);
    assert.equal((await editor.json(200, "GET", "/admin/api/drafts")).total, 0);
    await author.json(201, "PUT", url, { content: "again" });
  });

  it("take text that is no valid page, which publishing rejects", async () => {
    const content = "---\ntitle: [\n---\n";
    const { etag } = await editor.json(201, "PUT", url, { content });
    const answer = await editor.send("POST", `${url}/publish`, {});
    assert.equal(answer.status, 400);
    assert.equal((await editor.json(200, "GET", url)).etag, etag);
    assert.equal(await onDisk(), lines);
  });

  describe("edited twice", () => {
    it("merge separate edits, and say so", async () => {
      const { etag } = await author.json(201, "PUT", url, { content: lines });
      const one = lines.replace("one", "ONE");
      assert.equal(
        (await author.json(200, "PUT", url, { content: one }, match(etag))).merged,
        false,
      );
      const three = { content: lines.replace("three", "THREE"), base: lines };
      const saved = await editor.json(200, "PUT", url, three, match(etag));
      assert.equal(saved.merged, true);
      assert.equal(saved.content, lines.replace("one", "ONE").replace("three", "THREE"));
      assert.equal(saved.author.id, editor.id);
    });

    it("merge with the text that was edited, not only with the page", async () => {
      const first = lines.replace("one", "first");
      const { etag } = await author.json(201, "PUT", url, { content: first });
      const second = first.replace("three", "THREE");
      await author.json(200, "PUT", url, { content: second }, match(etag));
      // Undoes the change that both have seen.
      const undone = { content: lines, base: first };
      const saved = await editor.json(200, "PUT", url, undone, match(etag));
      assert.equal(saved.content, lines.replace("three", "THREE"));
    });

    it("respond 409 with all texts and a proposal when edits overlap", async () => {
      const { etag } = await author.json(201, "PUT", url, { content: lines });
      const theirs = lines.replace("two", "theirs");
      const current = await author.json(200, "PUT", url, { content: theirs }, match(etag));
      const yours = lines.replace("two", "yours");
      const edit = { content: yours, base: lines };
      const lost = await editor.json(409, "PUT", url, edit, match(etag));
      assert.deepEqual([lost.base, lost.theirs, lost.yours], [lines, theirs, yours]);
      assert.equal(lost.etag, current.etag);
      const marked = "<<<<<<< yours\nyours\n=======\ntheirs\n>>>>>>> theirs";
      assert.equal(lost.proposal, lines.replace("two", marked));
      assert.equal((await editor.json(200, "GET", url)).content, theirs);
      await editor.json(200, "PUT", url, { content: "both" }, match(lost.etag));
    });

    it("respond 409 without a proposal when the edited text is unknown", async () => {
      const { etag } = await author.json(201, "PUT", url, { content: "a" });
      await author.json(200, "PUT", url, { content: "b" }, match(etag));
      const lost = await editor.json(409, "PUT", url, { content: "c" }, match(etag));
      assert.deepEqual([lost.base, lost.theirs, lost.proposal], [null, "b", null]);
      const forged = { content: "c", base: "not what was read" };
      assert.equal((await editor.json(409, "PUT", url, forged, match(etag))).base, null);
    });

    it("accept a save that is sent again, and one of two first saves", async () => {
      const { etag } = await author.json(201, "PUT", url, { content: "a" });
      await author.json(200, "PUT", url, { content: "b" }, match(etag));
      await author.json(200, "PUT", url, { content: "b" }, match(etag));
      assert.equal((await editor.send("PUT", url, { content: "c" })).status, 409);
      await editor.json(200, "PUT", url, { content: "c" }, { "if-match": "*" });
    });

    it("lose no edit of many at the same time", async () => {
      const many = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");
      const { etag } = await author.json(201, "PUT", url, { content: many });
      const edits = Array.from({ length: 20 }, (_, at) => at * 2);
      await Promise.all(
        edits.map((at) => {
          const content = many.replace(`line ${at}\n`, `LINE ${at}\n`);
          return author.json(200, "PUT", url, { content, base: many }, match(etag));
        }),
      );
      const { content } = await author.json(200, "GET", url);
      assert.equal(content.match(/LINE/g).length, 20);
    });
  });

  describe("published", () => {
    it("replace the page, fire its hooks, and are gone", async () => {
      const events: string[] = [];
      const { hooks } = site.site.context("admin");
      hooks.on("onPageUpdate", ({ data }) => void events.push(data.sourcePath));
      const content = lines.replace("two", "TWO");
      const { etag } = await author.json(201, "PUT", url, { content });
      const seen = match(await published());
      const answer = await editor.json(200, "POST", `${url}/publish`, { etag }, seen);
      assert.deepEqual(answer, {
        published: true,
        sourcePath: path,
        etag: await published(),
        merged: false,
      });
      assert.equal(await onDisk(), content);
      assert.equal((await editor.send("GET", url)).status, 404);
      await hooks.settled();
      assert.deepEqual(events, [path]);
      await site.site.use("history").settled();
      const history = await editor.json(200, "GET", `/admin/api/history/${path}`);
      assert.equal(history.items[0].actor.id, editor.id);
      const { items } = await editor.json(200, "GET", "/admin/api/drafts");
      assert.deepEqual(items, []);
    });

    it("merge with what changed on the page meanwhile", async () => {
      await author.json(201, "PUT", url, { content: lines.replace("three", "THREE") });
      await editor.json(200, "PUT", `/admin/api/pages/${path}`, {
        content: lines.replace("one", "ONE"),
      });
      assert.equal((await editor.json(200, "GET", url)).isBehind, true);
      const { merged } = await editor.json(200, "POST", `${url}/publish`, {});
      assert.equal(merged, true);
      assert.equal(await onDisk(), lines.replace("one", "ONE").replace("three", "THREE"));
    });

    it("respond 409 with all texts when both changed the same lines, until it is resolved", async () => {
      const base = await published();
      const draft = lines.replace("two", "draft");
      const { etag } = await author.json(201, "PUT", url, { content: draft });
      const live = lines.replace("two", "live");
      await editor.json(200, "PUT", `/admin/api/pages/${path}`, { content: live });
      const lost = await editor.json(409, "POST", `${url}/publish`, { etag }, match(base));
      assert.deepEqual([lost.base, lost.live, lost.draft], [lines, live, draft]);
      assert.equal(lost.etag, etag);
      assert.match(lost.proposal, /<<<<<<< working copy\ndraft\n=======\nlive\n>>>>>>> live\n/);
      assert.equal(await onDisk(), live);
      const both = { content: lines.replace("two", "both"), baseEtag: lost.liveEtag };
      const solved = await editor.json(200, "PUT", url, both, match(etag));
      assert.equal(solved.isBehind, false);
      await editor.json(200, "POST", `${url}/publish`, { etag: solved.etag }, match(lost.liveEtag));
      assert.equal(await onDisk(), both.content);
    });

    it("respond 409 when the publisher has seen another text, or the page is deleted", async () => {
      const { etag } = await author.json(201, "PUT", url, { content: "a" });
      await author.json(200, "PUT", url, { content: "b" }, match(etag));
      const lost = await editor.json(409, "POST", `${url}/publish`, { etag });
      assert.equal(lost.draft, "b");
      const other = match("f".repeat(40));
      assert.equal((await editor.send("POST", `${url}/publish`, {}, other)).status, 409);
      await editor.json(200, "DELETE", `/admin/api/pages/${path}`);
      const gone = await editor.json(409, "POST", `${url}/publish`, {});
      assert.deepEqual([gone.live, gone.liveEtag], [null, null]);
      await editor.json(200, "PUT", url, { content: "b", baseEtag: "" }, match(gone.etag));
      await editor.json(200, "POST", `${url}/publish`, {});
      assert.equal(await onDisk(), "b");
    });

    it("create pages, and publish drafts on request", async () => {
      const fresh = "/admin/api/drafts/03.new/default.md";
      await author.json(201, "PUT", fresh, { content: "---\ntitle: New\n---\n" });
      assert.equal((await site.fetch("/api/pages/new")).status, 404);
      await author.json(200, "POST", `${fresh}/publish`, {});
      assert.equal((await site.fetch("/api/pages/new")).status, 404);
      await author.json(201, "PUT", fresh, { content: "---\ntitle: Newer\nstatus: draft\n---\n" });
      const body = { status: "published" };
      assert.equal((await author.send("POST", `${fresh}/publish`, body)).status, 403);
      await editor.json(200, "POST", `${fresh}/publish`, body);
      assert.equal((await site.fetch("/api/pages/new")).status, 200);
    });

    it("need pages.publish while the page is published; authors ask for a review", async () => {
      await author.json(201, "PUT", url, { content: "mine" });
      const { error } = await author.json(403, "POST", `${url}/publish`, {});
      assert.match(error, /pages\.publish/);
      const asked = await author.json(200, "POST", `${url}/review`, { requested: true });
      assert.deepEqual(asked.review, {
        requestedAt: now,
        by: { id: author.id, name: asked.author.name },
        note: "",
        sentBack: null,
      });
      await author.json(200, "PUT", url, { content: "more" }, match(asked.etag));
      const { items } = await editor.json(200, "GET", "/admin/api/drafts?review=requested");
      assert.equal(items[0].review.by.id, author.id);
      await editor.json(200, "POST", `${url}/review`, { requested: false });
      assert.equal((await editor.json(200, "GET", "/admin/api/drafts?review=requested")).total, 0);
      await editor.json(200, "POST", `${url}/publish`, {});
      assert.deepEqual((await site.audit()).map(({ event }) => event).slice(-4), [
        "draft.create",
        "draft.review",
        "draft.review_withdrawn",
        "draft.publish",
      ]);
    });
  });

  it("continue on the page when they were published or discarded meanwhile", async () => {
    const two = lines.replace("two", "TWO");
    const { etag } = await author.json(201, "PUT", url, { content: two });
    const one = lines.replace("one", "ONE");
    await editor.json(200, "PUT", `/admin/api/pages/${path}`, { content: one });
    await editor.json(200, "POST", `${url}/publish`, {});
    const edit = { content: two.replace("three", "THREE"), base: two };
    const saved = await author.json(201, "PUT", url, edit, match(etag));
    assert.equal(saved.merged, true);
    assert.equal(saved.content, one.replace("two", "TWO").replace("three", "THREE"));
    assert.equal(saved.baseEtag, await published());
    const unknown = { content: "x" };
    await author.json(200, "DELETE", url);
    const lost = await author.json(409, "PUT", url, unknown, match(etag));
    assert.deepEqual([lost.etag, lost.theirs, lost.yours], [null, await onDisk(), "x"]);
  });

  it("follow their pages when these move, and keep their edits", async () => {
    const content = lines.replace("two", "TWO");
    await author.json(201, "PUT", url, { content });
    const move = { path: "02.blog/01.first", to: "02.blog/05.fifth" };
    await editor.json(200, "POST", "/admin/api/pages/move", move);
    assert.equal((await editor.send("GET", url)).status, 404);
    const moved = "/admin/api/drafts/02.blog/05.fifth/post.md";
    assert.equal((await editor.json(200, "GET", moved)).content, content);
    await editor.json(200, "POST", `${moved}/publish`, {});
    const page = await editor.json(200, "GET", "/admin/api/pages/02.blog/05.fifth/post.md");
    assert.equal(page.raw, content);
  });

  it("began from an older version of the page: it is known when the text is sent", async () => {
    const old = await published();
    const one = lines.replace("one", "ONE");
    await editor.json(200, "PUT", `/admin/api/pages/${path}`, { content: one });
    const edit = { content: lines.replace("three", "THREE"), baseEtag: old };
    const lost = await author.json(409, "PUT", url, edit);
    assert.equal(lost.theirs, one);
    const saved = await author.json(201, "PUT", url, { ...edit, base: lines });
    assert.equal(saved.isBehind, true);
    await editor.json(200, "POST", `${url}/publish`, {});
    assert.equal(await onDisk(), one.replace("three", "THREE"));
  });

  it("reject paths and texts that no page can have", async () => {
    const paths = [
      "x.html",
      "..%2f..%2fsite.yaml",
      "a/../../b.md",
      ".hidden.md",
      "~a.md",
      "__proto__.md",
      "a%00b.md",
    ];
    for (const one of [...paths, `${"a/".repeat(600)}b.md`]) {
      const answer = await editor.send("PUT", `/admin/api/drafts/${one}`, { content: "x" });
      assert.ok([400, 404, 414].includes(answer.status), `${one}: ${answer.status}`);
    }
    for (const content of ["a\u0000b", "\ud800", 5, null]) {
      assert.equal((await editor.send("PUT", url, { content })).status, 400);
    }
    assert.equal((await editor.send("PUT", url, { content: "x".repeat(6e6) })).status, 413);
    assert.equal((await editor.json(200, "GET", "/admin/api/drafts")).total, 0);
    for (const one of ["constructor.md", "constructor/default.md", "%F0%9F%8D%8B.md"]) {
      await editor.json(201, "PUT", `/admin/api/drafts/${one}`, { content: "x" });
      assert.equal((await editor.json(200, "GET", `/admin/api/drafts/${one}`)).content, "x");
    }
  });

  it("need rights: to write, and for code", async () => {
    assert.equal((await site.fetch(url)).status, 401);
    await (await site.withToken(["pages.read"])).json(403, "PUT", url, { content: "x" });
    const code = "/admin/api/drafts/05.code/page.tsx";
    assert.equal((await editor.send("PUT", code, { content: "x" })).status, 403);
    await admin.json(201, "PUT", code, { content: "x" });
    assert.equal((await editor.send("POST", `${code}/publish`, {})).status, 403);
  });
});
