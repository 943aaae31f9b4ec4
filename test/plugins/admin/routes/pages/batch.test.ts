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
      "content/03.chair/product.md": "---\ntitle: Chair\nstatus: draft\n---\n",
    },
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
    ];
    for (const operations of bad) {
      assert.equal((await editor.send("POST", BATCH, { operations })).status, 400);
    }
    assert.deepEqual(states(await run([{ op: "publish", path: "../x.md" }])), [404]);
    assert.deepEqual(states(await run([{ op: "move", path: first, to: "../x.md" }])), [400]);
    assert.equal((await site.fetch(BATCH, { method: "POST" })).status, 401);
  });
});
