import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const BATCH = "/admin/api/batch";
const first = "02.blog/01.first/post.md";
const second = "02.blog/02.second/post.md";

describe("batches of the admin API", () => {
  const site = useFreshAdmin({
    files: {
      "content/02.blog/01.first/post.md": "---\n# a comment\ntitle: First\n---\nFirst body.\n",
      "blueprints/product.yaml": "fields:\n  price: { type: number, label: Price }\n",
      "blueprints/offer.yaml": "fields:\n  price: { type: number, required: true }\n",
      "blueprints/note.yaml": "parents: [blog]\n",
      "content/03.chair/product.md": "---\ntitle: Chair\nstatus: draft\n---\n",
    },
    settings: { system: { languages: { supported: ["en", "de"] } } },
  });
  const editor = site.user("editor");
  const author = site.user("author");
  const run = (operations: unknown[], who = editor) => who.json(200, "POST", BATCH, { operations });
  const onDisk = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const states = ({ results }: { results: { status: string; code?: number }[] }) =>
    results.map(({ status, code }) => code ?? status);

  it("applies each operation through the write path, with a result each", async () => {
    const { results, summary } = await run([
      { op: "publish", path: second },
      { op: "unpublish", path: `content/${first}` },
      { op: "archive", path: "02.blog/blog.md" },
      { op: "set", path: "01.home/default.md", frontmatter: { subtitle: "New" } },
      { op: "move", path: "03.chair", to: "04.chair" },
      { op: "delete", path: "01.home/default.md" },
      { op: "delete", path: "none.md" },
    ]);
    assert.deepEqual(summary, { total: 7, done: 5, errors: 2 });
    assert.deepEqual(states({ results }), ["done", "done", "done", "done", 404, "done", 404]);
    assert.match(await onDisk(second), /status: published/);
    assert.match(await onDisk(first), /# a comment\ntitle: First\nstatus: draft/);
    assert.match(await onDisk("02.blog/blog.md"), /status: archived/);
    const { items } = await editor.json(200, "GET", "/admin/api/trash");
    assert.equal(items[0].path, "01.home/default.md");
    await site.site.use("history").settled();
    const history = await editor.json(200, "GET", `/admin/api/history/${second}`);
    assert.equal(history.items[0].actor.id, editor.id);
  });

  it("moves pages, with links and redirects", async () => {
    const move = { op: "move", path: "02.blog/01.first/post.md", to: "02.blog/09.last/post.md" };
    assert.deepEqual(states(await run([move])), ["done"]);
    assert.match(await onDisk("02.blog/09.last/post.md"), /First body/);
    assert.match(await onDisk(second), /\/blog\/last/);
  });

  describe("moves a page below another one", () => {
    const files = {
      "content/04.news/default.md": "---\ntitle: News\n---\n",
      "content/04.news/03.old/post.md": "---\ntitle: Old\n---\n",
      "content/about.md": "---\ntitle: About\n---\n[First](/blog/first)\n",
      "content/about.de.md": "---\ntitle: Wir\n---\n",
    };
    beforeEach(async () => {
      for (const [path, text] of Object.entries(files)) await site.write(path, text);
      await site.site.use("content").rebuild();
    });

    it("last among its siblings, with links and a redirect", async () => {
      const { results } = await run([{ op: "move", path: first, parent: "/news" }]);
      assert.deepEqual(results, [
        { op: "move", path: first, status: "done", movedTo: "04.news/04.first/post.md" },
      ]);
      assert.match(await onDisk(second), /\/news\/first/);
      const settings = await readFile(join(site.root, "site.yaml"), "utf8");
      assert.match(settings, /\/blog\/first: \/news\/first/);
    });

    it("with a file for each language", async () => {
      assert.deepEqual(states(await run([{ op: "move", path: "about.md", parent: "/news" }])), [
        "done",
      ]);
      assert.match(await onDisk("04.news/about.md"), /title: About/);
      assert.match(await onDisk("04.news/about.de.md"), /title: Wir/);
    });

    it("and reports what stands in the way, each on its own", async () => {
      await site.write("content/04.news/first.md", "---\ntitle: Taken\n---\n");
      await site.site.use("content").rebuild();
      const { results } = await run([
        { op: "move", path: first, parent: "/news" },
        { op: "move", path: "02.blog/blog.md", parent: "/blog/second" },
        { op: "move", path: "01.home/default.md", parent: "/news" },
        { op: "move", path: second, parent: "/nowhere" },
        { op: "move", path: "04.news/03.old/post.md", parent: "/news" },
      ]);
      assert.deepEqual(states({ results }), [409, 400, 400, 404, "done"]);
      assert.match(results[0].error, /there is a page at "\/news\/first" already/);
    });

    it("only with the rights to both places", async () => {
      const { results } = await run([{ op: "move", path: first, parent: "/news" }], author);
      assert.equal(results[0].code, 403);
    });
  });

  describe("changes the type of a page", () => {
    const chair = "03.chair/product.md";
    beforeEach(async () => {
      const files = {
        "content/03.chair/product.de.md": "---\ntitle: Stuhl\nstatus: draft\nprice: 4\n---\n",
        "content/flat.md": "---\ntitle: Flat\nstatus: draft\nprice: 2\n---\n",
      };
      for (const [path, text] of Object.entries(files)) await site.write(path, text);
      await site.site.use("content").rebuild();
    });
    const toOffer = (path: string) => ({ op: "type", path, template: "offer" });

    it("by the name of its files, in every language", async () => {
      await run([{ op: "set", path: chair, frontmatter: { price: 3 } }]);
      const { results } = await run([toOffer(chair)]);
      assert.equal(results[0].error, undefined);
      assert.equal(results[0].movedTo, "03.chair/offer.md");
      assert.match(await onDisk("03.chair/offer.md"), /price: 3/);
      assert.match(await onDisk("03.chair/offer.de.md"), /title: Stuhl/);
    });

    it("by a key where the name of the file is its address", async () => {
      assert.deepEqual(states(await run([toOffer("flat.md")])), ["done"]);
      assert.match(await onDisk("flat.md"), /template: offer/);
      const back = { op: "type", path: "flat.md", template: "default" };
      assert.deepEqual(states(await run([back])), ["done"]);
      assert.doesNotMatch(await onDisk("flat.md"), /template/);
    });

    it("and changes nothing when the page does not fit it", async () => {
      const { results } = await run([
        toOffer(chair),
        { op: "type", path: "flat.md", template: "note" },
        { op: "type", path: "flat.md", template: "unknown" },
      ]);
      assert.deepEqual(states({ results }), [422, 422, 400]);
      assert.equal(results[0].validationErrors[0].field, "price");
      assert.equal(results[1].validationErrors[0].field, "template");
      assert.match(await onDisk(chair), /Chair/);
    });
  });

  it("plans when pages are published and withdrawn, with the right to publish", async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const plan = (path: string, action: string, scheduledAt: string) => ({
      op: "schedule",
      path,
      action,
      scheduledAt,
    });
    const operations = [
      plan(second, "publish", at(1)),
      plan(first, "unpublish", at(2)),
      plan(first, "publish", at(1)),
      plan(first, "unpublish", at(-1)),
    ];
    const refused = await run(operations.slice(0, 2), author);
    assert.deepEqual(states(refused), [403, 403]);
    const { results } = await run(operations);
    assert.deepEqual(states({ results }), ["done", "done", 400, 400]);
    assert.match(await onDisk(second), /publish_date/);
    assert.match(await onDisk(first), /unpublish_date/);
  });

  it("tags and untags, and writes nothing when there is nothing to do", async () => {
    const tag = (op: string, value: string) => ({ op, path: first, value });
    await run([tag("tag", "sea"), tag("tag", "harbour"), tag("tag", "sea")]);
    assert.match(await onDisk(first), /taxonomy:\n {2}tag:\n {4}- sea\n {4}- harbour\n/);
    assert.equal((await (await site.fetch("/api/taxonomy/tag/sea")).json()).meta?.total ?? 1, 1);
    await run([tag("untag", "sea"), tag("untag", "harbour"), tag("untag", "none")]);
    assert.equal(await onDisk(first), "---\n# a comment\ntitle: First\n---\nFirst body.\n");
    const unknown = await run([{ ...tag("tag", "x"), taxonomy: "__proto__" }]);
    assert.deepEqual(states(unknown), [400]);
    const before = site.site.context("admin").changes.cursor;
    await run([{ op: "publish", path: first }, tag("untag", "none")]);
    assert.equal(site.site.context("admin").changes.cursor, before);
  });

  it("checks the rights of each operation", async () => {
    const operations = [
      { op: "publish", path: second },
      { op: "delete", path: second },
      { op: "tag", path: second, value: "mine" },
      { op: "tag", path: first, value: "mine" },
      { op: "set", path: second, frontmatter: { status: "published" } },
      { op: "set", path: "x/page.tsx", frontmatter: { a: 1 } },
    ];
    const answer = await run(operations, author);
    assert.deepEqual(states(answer), [403, 403, "done", 403, 403, 404]);
    assert.match(answer.results[0].error, /pages\.publish/);
    assert.match(await onDisk(second), /status: draft/);
  });

  it("reports what does not fit the blueprint, and continues", async () => {
    const { results } = await run([
      { op: "set", path: "03.chair/product.md", frontmatter: { price: "dear" } },
      { op: "set", path: "03.chair/product.md", frontmatter: { price: 5 } },
    ]);
    assert.equal(results[0].code, 422);
    assert.equal(results[0].validationErrors[0].field, "price");
    assert.equal(results[1].status, "done");
  });

  it("rejects malformed batches as a whole", async () => {
    const many = Array.from({ length: 201 }, () => ({ op: "publish", path: first }));
    const bad = [
      [],
      many,
      [{ op: "burn", path: first }],
      [{ op: "publish" }],
      [{ op: "set", path: first }],
      [{ op: "tag", path: first, value: "" }],
      [{ op: "set", path: first, frontmatter: [] }],
      [{ op: "move", path: first }],
      [{ op: "move", path: first, to: "x/post.md", parent: "/" }],
      [{ op: "type", path: first, template: "../x" }],
      [{ op: "schedule", path: first, action: "publish", scheduledAt: "tomorrow" }],
    ];
    for (const operations of bad) {
      assert.equal((await editor.send("POST", BATCH, { operations })).status, 400);
    }
    assert.deepEqual(states(await run([{ op: "publish", path: "../x.md" }])), [404]);
    assert.deepEqual(states(await run([{ op: "move", path: first, to: "../x.md" }])), [400]);
    assert.equal((await site.fetch(BATCH, { method: "POST" })).status, 401);
  });
});
