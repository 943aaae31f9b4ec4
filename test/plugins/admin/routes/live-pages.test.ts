import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useAdmin } from "../../../support/sites/use-site.js";
import { picture } from "../../../support/content/pictures.js";

const LIVE = "02.blog/01.first/post.md";
const FOLDER = "05.news/02.inner/post.md";
const files = {
  "content/03.about/default.md": "---\ntitle: About\n---\nUs.\n",
  "content/05.news/news.md": "---\ntitle: News\nstatus: draft\n---\n",
  [`content/${FOLDER}`]: "---\ntitle: Inner\n---\nInner.\n",
};

describe("a published page, for an author without pages.publish", () => {
  const site = useAdmin({ files });
  const author = site.user("author");
  const editor = site.user("editor");
  before(async () => {
    for (const body of ["Second version.\n", "Third version.\n"])
      await editor.json(200, "PUT", `/admin/api/pages/${LIVE}`, { body });
  });

  const textOf = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const refused = async (method: string, path: string, body?: unknown) => {
    const { error } = await author.json(403, method, `/admin/api${path}`, body);
    assert.match(error, /pages\.publish/);
  };

  for (const [title, method, path, body] of [
    ["is not restored", "POST", `/history/${LIVE}/1/restore`, undefined],
    ["is not withdrawn", "POST", "/workflow/transition", { path: LIVE, to: "draft" }],
    ["is not archived", "POST", "/workflow/transition", { path: LIVE, to: "archived" }],
    ["is not moved", "POST", "/pages/move", { path: LIVE, to: "02.blog/09.first/post.md" }],
    ["is not moved with its folder", "POST", "/pages/move", { path: "02.blog", to: "09.blog" }],
    ["is not moved with a draft's folder", "POST", "/pages/move", { path: "05.news", to: "06.n" }],
    [
      "is not renumbered",
      "POST",
      "/pages/reorder",
      { path: "02.blog/blog.md", target: "03.about/default.md" },
    ],
  ] as const) {
    it(title, async () => {
      const paths = [LIVE, FOLDER];
      const before = await Promise.all(paths.map(textOf));
      await refused(method, path, body);
      assert.deepEqual(await Promise.all(paths.map(textOf)), before);
    });
  }

  it("is not changed by a batch", async () => {
    const { results } = await author.json(200, "POST", "/admin/api/batch", {
      operations: [
        { op: "unpublish", path: LIVE },
        { op: "archive", path: LIVE },
        { op: "move", path: LIVE, to: "02.blog/09.first/post.md" },
        { op: "tag", path: LIVE, value: "mine" },
        { op: "set", path: LIVE, frontmatter: { title: "Mine" } },
      ],
    });
    assert.deepEqual(
      results.map(({ code }: { code: number }) => code),
      [403, 403, 403, 403, 403],
    );
  });

  it("keeps its files", async () => {
    const upload = async (overwrite: string) => {
      const form = new FormData();
      form.set("pagePath", LIVE);
      form.set("overwrite", overwrite);
      form.set("file", new Blob([new Uint8Array(await picture(4, 4))]), "pixel.png");
      return author.send("POST", "/admin/api/media/upload", form);
    };
    assert.equal((await upload("false")).status, 201);
    assert.equal((await upload("true")).status, 403);
  });

  it("is changed by an editor in all these ways", async () => {
    await editor.json(200, "POST", `/admin/api/history/${LIVE}/1/restore`);
    await editor.json(200, "POST", "/admin/api/workflow/transition", { path: LIVE, to: "draft" });
    await editor.json(200, "POST", "/admin/api/pages/move", { path: "05.news", to: "06.news" });
  });

  it("is the only one kept from authors: drafts are restored and moved", async () => {
    const path = "02.blog/02.second/post.md";
    for (const body of ["Changed.\n", "Changed again.\n"])
      await author.json(200, "PUT", `/admin/api/pages/${path}`, { body });
    await author.json(200, "POST", `/admin/api/history/${path}/1/restore`);
    await author.json(200, "POST", "/admin/api/workflow/transition", { path, to: "in_review" });
    const to = "02.blog/08.second/post.md";
    await author.json(200, "POST", "/admin/api/pages/move", { path, to });
  });
});
