import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootAdmin, type AdminClient, type AdminSite } from "../../../support/sites/admin-site.js";

const COMPOSED = "caf\u00e9";
const SPLIT = "cafe\u0301";

describe("the names of new pages", () => {
  let site: AdminSite;
  let admin: AdminClient;
  before(async () => {
    site = await bootAdmin({
      files: {
        [`content/${COMPOSED}.md`]: "# First\n",
        [`content/03.${SPLIT}-bar/default.md`]: "# Bar\n",
      },
    });
    admin = await site.as("admin");
  });
  after(async () => site.close());

  it("are rejected when others differ only in the form of letters: pages, folders, targets of moves", async () => {
    const create = (path: string) =>
      admin.json(409, "POST", "/admin/api/pages", { path, content: "# Second\n" });
    assert.match((await create(`${SPLIT}.md`)).error, /already exists as/);
    assert.match((await create(`03.${COMPOSED}-bar/other.md`)).error, /already exists as/);
    const apply = site.site.use("content").apply.bind(site.site.use("content"));
    const [moved] = await apply([
      { op: "move", path: "02.blog/01.first/post.md", to: `${SPLIT}.md` },
    ]);
    assert.equal(moved?.code, "ERR_CONTENT_EXISTS");
    const [dry] = await apply([{ op: "write", path: `${SPLIT}.md`, content: "x" }], {
      dryRun: true,
    });
    assert.equal(dry?.code, "ERR_CONTENT_EXISTS");
  });

  it("are rejected for an upload beside such a name", async () => {
    const folder = join(site.root, "content/02.blog");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${SPLIT}.txt`), "one");
    const form = new FormData();
    form.set("pagePath", "02.blog/blog.md");
    form.set("file", new File(["two"], `${COMPOSED}.txt`), `${COMPOSED}.txt`);
    await admin.json(409, "POST", "/admin/api/media/upload", form);
  });

  it("may change to another form of their letters by a move", async () => {
    const [moved] = await site.site
      .use("content")
      .apply([{ op: "move", path: `${COMPOSED}.md`, to: `${SPLIT}.md` }]);
    assert.equal(moved?.status, "moved");
  });

  it("may lead to the address of another page, and the response says that it is not shown", async () => {
    const page = { path: "05.blog.md", content: "# Second\n" };
    const created = await admin.json(201, "POST", "/admin/api/pages", page);
    assert.match(created.problems[0], /02\.blog\/blog\.md/);
  });
});
