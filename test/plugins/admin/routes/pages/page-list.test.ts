import assert from "node:assert/strict";
import { useAdmin } from "../../../../support/sites/use-site.js";

const PAGES = "/admin/api/pages";

describe("levels and types of pages in the admin API", () => {
  const site = useAdmin({
    files: {
      "system.yaml": "languages: { supported: [en, de], default: en }\n",
      "content/02.blog/blog.de.md": "---\ntitle: Tagebuch\n---\n",
      "content/03.deep/folder/01.page/default.md": "---\ntitle: Deep\n---\n",
      "content/02.blog/03.third/post.md": "---\ntitle: Third\nkind: news\n---\n",
      "content/_drafts/idea/default.md": "---\ntitle: Idea\n---\n",
      "blueprints/post.yaml": [
        "title: Post",
        "children: []",
        "naming: { slug: title, prefix: number }",
        "columns: [kind]",
        "fields:",
        "  title: { type: text, label: Title, required: true, group: Main }",
        "  kind: { type: select, options: { news: News, essay: Essay }, default: news }",
        "  steps: { type: structure, fields: { name: { type: text } } }",
        "",
      ].join("\n"),
      "blueprints/blocks/quote.yaml": "label: Quote\nfields:\n  text: { type: textarea }\n",
    },
  });
  const author = site.user("author");
  const titles = async (query: string) => {
    const { items } = await author.json(200, "GET", `${PAGES}?${query}`);
    return items.map(({ title, hasChildren }: { title: string; hasChildren: boolean }) =>
      hasChildren ? `${title}…` : title,
    );
  };

  it("lists one level, and says which pages have more below", async () => {
    assert.deepEqual(await titles("parent=/&lang=en"), ["Home", "Blog…", "Deep", "Idea"]);
    assert.deepEqual(await titles("parent=/blog"), ["First", "Second", "Third"]);
    assert.deepEqual(await titles("parent=/blog/first"), []);
    assert.deepEqual(await titles("parent=/none"), []);
    assert.equal((await author.send("GET", `${PAGES}?parent=blog`)).status, 400);
  });

  it("filters by tag, author and day of change, and names the tags and authors", async () => {
    const path = "04.tagged/default.md";
    const content = [
      "---",
      "title: Tagged",
      "author: [Ines, { name: Ben }]",
      "taxonomy: { tag: [tea, sea], category: [essays] }",
      "---",
      "",
    ].join("\n");
    await site.site.use("content").apply([{ op: "write", path, content }]);
    const translation = "04.tagged/default.de.md";
    const german = content.replace("Tagged", "Markiert");
    await site.site.use("content").apply([{ op: "write", path: translation, content: german }]);
    for (const query of ["tag=tea", "tag=essays", "author=Ines", "author=Ben"]) {
      assert.deepEqual(await titles(`${query}&languages=together`), ["Tagged"], query);
    }
    for (const query of ["tag=coffee", "author=Eve", "tag=tea&author=Eve", "since=2999-01-01"]) {
      assert.deepEqual(await titles(query), [], query);
    }
    assert.ok((await titles("since=2001-01-01")).includes("Tagged"));
    assert.equal((await author.send("GET", `${PAGES}?since=yesterday`)).status, 400);
    const facets = await author.json(200, "GET", "/admin/api/page-facets");
    const one = (value: string) => ({ value, count: 1 });
    assert.deepEqual(facets.authors, [one("Ben"), one("Ines")]);
    assert.deepEqual(facets.tags, [one("essays"), one("sea"), one("tea")]);
    for (const one of [path, translation]) {
      await site.site.use("content").apply([{ op: "delete", path: one }]);
    }
  });

  it("sorts by title, status and change, in both directions", async () => {
    const blog = "parent=/blog&lang=en";
    assert.deepEqual(await titles(`${blog}&sort=title`), ["First", "Second", "Third"]);
    assert.deepEqual(await titles(`${blog}&sort=title&order=desc`), ["Third", "Second", "First"]);
    assert.equal((await titles(`${blog}&sort=status`))[0], "Second");
    const [latest] = await titles(`${blog}&sort=changed`);
    assert.equal((await titles(`${blog}&sort=changed&order=asc`)).at(-1), latest);
    assert.equal((await author.send("GET", `${PAGES}?sort=size`)).status, 400);
  });

  it("shows a page in several languages as one row, of the default language", async () => {
    assert.deepEqual(await titles("parent=/&languages=together"), [
      "Home",
      "Blog…",
      "Deep",
      "Idea",
    ]);
    const rows = async (query: string) =>
      (await author.json(200, "GET", `${PAGES}?languages=together&${query}`)).items;
    const [found] = await rows("q=tagebuch");
    assert.equal(found.sourcePath, "02.blog/blog.md");
    assert.deepEqual(found.languages, [
      { lang: "de", sourcePath: "02.blog/blog.de.md", title: "Tagebuch", status: "published" },
      { lang: "en", sourcePath: "02.blog/blog.md", title: "Blog", status: "published" },
    ]);
    const [german, ...others] = await rows("lang=de");
    assert.equal(german.title, "Tagebuch");
    assert.equal(german.hasChildren, true, "its pages below are in another language");
    assert.deepEqual(others, []);
    const each = await author.json(200, "GET", PAGES);
    const { total } = await author.json(200, "GET", `${PAGES}?languages=together`);
    assert.equal(total, each.total - 1);
  });

  it("finds every page at exactly one level", async () => {
    const all = await author.json(200, "GET", PAGES);
    const seen: string[] = [];
    const walk = async (route: string): Promise<void> => {
      const { items } = await author.json(200, "GET", `${PAGES}?parent=${route}`);
      const routes = new Set<string>();
      for (const item of items) {
        seen.push(item.sourcePath);
        if (item.route !== "/") routes.add(item.route);
      }
      for (const below of routes) await walk(below);
    };
    await walk("/");
    assert.deepEqual(
      seen.toSorted(),
      all.items.map(({ sourcePath }: { sourcePath: string }) => sourcePath).toSorted(),
    );
  });

  it("filters and slices a level as it does all pages", async () => {
    assert.deepEqual(await titles("parent=/blog&status=draft"), ["Second"]);
    assert.deepEqual(await titles("template=post&q=th"), ["Third"]);
    assert.deepEqual(await titles("parent=/&lang=de"), ["Tagebuch"]);
    const { items, total } = await author.json(
      200,
      "GET",
      `${PAGES}?parent=/blog&limit=1&offset=2`,
    );
    assert.deepEqual([items[0].title, total], ["Third", 3]);
    assert.deepEqual(items[0].columns, { kind: "news" });
    assert.deepEqual(await titles("template=__proto__"), []);
  });

  it("describes page types and blocks with the fields of their forms", async () => {
    const { items, blocks } = await author.json(200, "GET", "/admin/api/page-types");
    const [post] = items;
    assert.deepEqual(
      [post.template, post.label, post.children, post.parents, post.naming, post.columns],
      ["post", "Post", [], null, { slug: "title", prefix: "number" }, ["kind"]],
    );
    const [title, kind, steps] = post.fields;
    assert.deepEqual(
      [title.name, title.type, title.control, title.label, title.required, title.group],
      ["title", "text", "text", "Title", true, "Main"],
    );
    assert.deepEqual(kind.options[0], { value: "news", label: "News" });
    assert.equal(kind.default, "news");
    assert.equal(steps.fields[0].name, "name");
    assert.equal(title.kind, undefined);
    assert.deepEqual([blocks[0].name, blocks[0].fields[0].control], ["quote", "textarea"]);
    assert.equal((await site.fetch("/admin/api/page-types")).status, 401);
  });
});
