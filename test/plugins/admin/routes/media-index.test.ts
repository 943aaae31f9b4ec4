import assert from "node:assert/strict";
import type { AdminClient } from "../../../support/sites/admin-site.js";
import { useAdmin } from "../../../support/sites/use-site.js";

const MEDIA = "/admin/api/media";
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
interface Item {
  path: string;
  usedBy: { sourcePath: string; title: string }[];
  usedByRecords: { type: string; id: string }[];
}

describe("media of the whole site in the admin API", () => {
  const site = useAdmin({
    files: {
      "flex-objects/person.yaml": "fields:\n  photo: { type: media }\n",
      "flex-objects/person/ada.yaml": "photo: blog/first/portrait.gif\n",
      "blueprints/note.yaml": "fields:\n  photo: { type: media }\n",
      "content/02.blog/01.first/portrait.gif": picture,
      "content/02.blog/04.fourth/note.md":
        "---\ntitle: Fourth\nphoto: blog/first/portrait.gif\n---\n",
      "content/02.blog/cover.gif": picture,
      "content/02.blog/cover.gif.meta.yaml": "alt: The harbour\n",
      "content/02.blog/01.first/a b.gif": picture,
      "content/02.blog/01.first/in text.gif": picture,
      "content/02.blog/01.first/unused.gif": picture,
      "content/02.blog/01.first/film.mp4": "film",
      "content/02.blog/01.first/post.md":
        "---\ntitle: First\nimage: a b.gif\nparts: [{ file: film.mp4 }]\n---\n![](in%20text.gif)\n",
      "content/02.blog/02.second/post.md":
        "---\ntitle: Second\nstatus: draft\n---\n![](../cover.gif) [b](/content-media/02.blog/01.first/a%20b.gif?w=5)\n",
      "content/02.blog/03.third/post.md":
        "---\ntitle: Third\n---\n{{ x 'cover.gif' }} cover.gifs\n",
    },
  });
  const editor = site.user("author");
  const admin = site.user("admin");
  const list = async (query = "") => editor.json(200, "GET", `${MEDIA}?${query}`);
  const users = async (query = "") =>
    Object.fromEntries(
      (await list(query)).items.map(({ path, usedBy }: Item) => [
        path,
        usedBy.map(({ title }) => title),
      ]),
    );

  it("lists every file with the pages that name it", async () => {
    assert.deepEqual(await users(), {
      "02.blog/01.first/a b.gif": ["First", "Second"],
      "02.blog/01.first/film.mp4": ["First"],
      "02.blog/01.first/in text.gif": ["First"],
      "02.blog/01.first/portrait.gif": ["Fourth"],
      "02.blog/01.first/unused.gif": [],
      "02.blog/cover.gif": ["Second"],
    });
  });

  it("lists the records that name a file, for accounts that may read records", async () => {
    const records = async (client: AdminClient) =>
      (await client.json(200, "GET", `${MEDIA}?q=portrait`)).items[0].usedByRecords;
    assert.deepEqual(await records(admin), [{ type: "person", id: "ada" }]);
    await admin.json(200, "PUT", "/admin/api/flex/person/ada", { photo: null });
    assert.deepEqual(await records(admin), []);
    await admin.json(200, "PUT", "/admin/api/flex/person/ada", {
      photo: "blog/first/portrait.gif",
    });
    assert.deepEqual(await records(editor), [{ type: "person", id: "ada" }]);
  });

  it("filters by folder, words and type, and pages through", async () => {
    assert.equal((await list("folder=02.blog/01.first")).total, 5);
    assert.equal((await list("folder=content/02.blog/")).total, 6);
    assert.equal((await list("folder=02")).total, 0);
    assert.deepEqual(Object.keys(await users("q=HARBOUR")), ["02.blog/cover.gif"]);
    assert.deepEqual(Object.keys(await users("type=video")), ["02.blog/01.first/film.mp4"]);
    const { items, total, page, pages, folders } = await list("limit=2&page=3");
    assert.deepEqual([items.length, total, page, pages], [2, 6, 3, 3]);
    assert.deepEqual(folders, ["02.blog/01.first", "02.blog"]);
    assert.equal((await editor.send("GET", `${MEDIA}?page=0`)).status, 400);
    assert.equal((await editor.json(200, "GET", `${MEDIA}?path=02.blog`)).total, 1);
  });

  it("says what the account may do with each file", async () => {
    const rights = async (client: AdminClient) => {
      const { items } = await client.json(200, "GET", `${MEDIA}?q=cover`);
      const [{ mayUpload, mayDelete, srcset }] = items;
      return { mayUpload, mayDelete, srcset };
    };
    assert.deepEqual(await rights(editor), { mayUpload: true, mayDelete: false, srcset: "" });
    const other = await site.as("editor");
    assert.deepEqual(await rights(other), { mayUpload: true, mayDelete: true, srcset: "" });
  });

  it("lists the folders of pages for uploads, by path or title", async () => {
    const folders = async (query = "") => {
      const { items, total } = await editor.json(200, "GET", `${MEDIA}/folders?${query}`);
      return { total, paths: items.map(({ path }: Item) => path) };
    };
    const paths = [
      "01.home",
      "02.blog",
      "02.blog/01.first",
      "02.blog/02.second",
      "02.blog/03.third",
      "02.blog/04.fourth",
    ];
    assert.deepEqual(await folders(), { total: 6, paths });
    assert.deepEqual((await folders("q=THIRD")).paths, ["02.blog/03.third"]);
    assert.deepEqual(await folders("limit=1"), { total: 6, paths: ["01.home"] });
    assert.equal((await editor.send("GET", `${MEDIA}/folders?limit=0`)).status, 400);
  });

  it("follows changes of pages and files, and is computed once in between", async () => {
    const { cache } = site.site.context("admin");
    const misses = () => cache.stats()["admin-media"]?.misses ?? 0;
    await list();
    const before = misses();
    await Promise.all([list(), list("q=a"), list("page=2")]);
    assert.equal(misses(), before);
    await admin.json(200, "PUT", "/admin/api/pages/02.blog/03.third/post.md", {
      content: "---\ntitle: Third\n---\n![](../01.first/unused.gif)\n",
    });
    assert.deepEqual((await users())["02.blog/01.first/unused.gif"], ["Third"]);
    assert.equal(misses(), before + 1);
    await admin.json(200, "DELETE", `${MEDIA}?path=02.blog/01.first/film.mp4`);
    assert.equal((await list()).total, 5);
  });
});
