import assert from "node:assert/strict";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

const POST = "fields:\n  topics: { type: tags, from: topic, label: Topics }\n";
const FILES = {
  "site.yaml": "title: Terms\ntaxonomies: [tag, topic]\n",
  "blueprints/post.yaml": POST,
  "blueprints/photo.yaml": "extends: post\n",
  "content/blog/a/post.md": "---\ntopics: [sea, wind]\n---\n# Sailing\n",
  "content/blog/b/photo.md": "---\ntopics: sea\ntaxonomy: { topic: [sea, salt], tag: x }\n---\n",
  "content/blog/c/post.md": "---\ntopics: [{ a: 1 }, constructor, 7]\n---\n# Odd\n",
  "content/blog/d/page.md": "---\ntemplate: free\ntopics: [sea]\n---\n# No page type\n",
};

describe("fields of kind tags with a taxonomy", () => {
  let site: TestSite;
  const json = async (path: string) => (await site.fetch(path)).json();
  const found = async (path: string): Promise<string[]> =>
    (await json(path)).items.map(({ route }: { route: string }) => route).sort();
  before(async () => {
    const settings = { system: { search: { facets: [{ field: "taxonomy.topic" }] } } };
    const plugins = ["content", "markdown", "pages", "search", "flex"];
    site = await bootSite({ plugins, files: FILES, settings });
  });
  after(() => site.close());

  it("have terms of the page: in counts, lists, collections and facets", async () => {
    assert.deepEqual(await json("/api/taxonomy"), {
      tag: { x: 1 },
      topic: { "7": 1, constructor: 1, salt: 1, sea: 2, wind: 1 },
    });
    for (const path of [
      "/api/pages?taxonomy.topic=sea",
      "/api/taxonomy/topic/sea",
      "/api/collections?source=@taxonomy.topic:sea",
    ])
      assert.deepEqual(await found(path), ["/blog/a", "/blog/b"], path);
    assert.deepEqual(await found("/api/pages?filter[topics][contains]=wind"), ["/blog/a"]);
    const { items } = await json("/api/pages?filter[topics]=sea&template=photo");
    assert.deepEqual(items[0].taxonomy, { topic: ["sea", "salt"], tag: ["x"] });
    assert.deepEqual(await found("/api/search?q=sailing&taxonomy[topic]=wind"), ["/blog/a"]);
    const { facets } = await json("/api/search?q=sailing");
    assert.deepEqual(facets, { "taxonomy.topic": { sea: 1, wind: 1 } });
  });

  const folder = useFolder();

  it("follow page types that changed while the site was down", async () => {
    const root = folder.path;
    for (const name of ["site.yaml", "blueprints", "content"])
      await cp(join(site.root, name), join(root, name), { recursive: true });
    for (const [post, count] of [
      [POST, 2],
      ["title: Post\n", 1],
      [POST, 2],
    ] as const) {
      await writeFile(join(root, "blueprints/post.yaml"), post);
      const again = await bootSite({ plugins: ["content", "pages"], root });
      const { values } = await (await again.fetch("/api/taxonomy/topic")).json();
      await again.close();
      assert.equal(values.sea, count);
    }
  });

  it("follow pages and page types that change", async () => {
    await site.write("content/blog/a/post.md", "---\ntopics: [tide]\n---\n# Sailing\n");
    await until(async () => (await found("/api/pages?taxonomy.topic=tide")).length === 1);
    const counts = async () => (await json("/api/taxonomy/topic")).values;
    await site.write("blueprints/post.yaml", "fields: { topics: { type: tags } }\n");
    await until(async () => (await counts()).tide === undefined);
    assert.deepEqual(await counts(), { salt: 1, sea: 1 });
    assert.deepEqual(await found("/api/search?q=sailing&taxonomy[topic]=tide"), []);
    await site.write("blueprints/post.yaml", POST);
    await until(async () => (await counts()).tide === 1);
    await until(
      async () => (await found("/api/search?q=sailing&taxonomy[topic]=tide")).length === 1,
    );
  });

  it("report a taxonomy that the site does not have, once, with line and fix", async () => {
    const { blueprints } = site.site.context("test").use("content");
    await site.write("blueprints/post.yaml", POST.replace("from: topic", "from: topik"));
    await until(() => blueprints.problems.length > 0);
    const [problem, ...more] = blueprints.problems;
    assert.deepEqual(more, []);
    assert.deepEqual(
      [problem?.sourcePath, problem?.line, problem?.key, problem?.message],
      [
        "blueprints/post.yaml",
        2,
        "fields.topics.from",
        'the site has no taxonomy "topik"; did you mean topic?',
      ],
    );
    await site.write("blueprints/post.yaml", POST.replace("from: topic", "from: [1]"));
    await until(() => blueprints.problems[0]?.message.includes("expected the name") === true);
    assert.equal(blueprints.of("post")?.fields.length, 0);
  });
});
