import assert from "node:assert/strict";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const OLD = "01.guide/01.start/default.md";
const NEW = "01.guide/02.start/default.md";

describe("admin requests for a page that has moved", () => {
  const site = useFreshAdmin({
    files: {
      [`content/${OLD}`]: "---\ntitle: Start\n---\nText.\n",
      "content/01.guide/02.next/default.md": "---\ntitle: Next\n---\nText.\n",
    },
  });

  const editor = site.user("editor");

  it("say where it is", async () => {
    const target = "01.guide/02.next/default.md";
    await editor.json(200, "POST", "/admin/api/pages/reorder", {
      path: OLD,
      target,
      position: "after",
    });
    const { movedTo, error } = await editor.json(404, "GET", `/admin/api/pages/${OLD}`);
    assert.equal(movedTo, NEW);
    assert.match(error, /has moved to "01\.guide\/02\.start\/default\.md"/);
    const put = { content: "---\ntitle: Start\n---\nMore.\n" };
    for (const [method, path] of [
      ["PUT", `/admin/api/pages/${OLD}`],
      ["PUT", `/admin/api/drafts/${OLD}`],
      ["POST", `/admin/api/drafts/${OLD}/publish`],
    ] as const) {
      const body = method === "PUT" ? put : {};
      assert.equal((await editor.json(409, method, path, body)).movedTo, NEW, `${method} ${path}`);
    }
    const { items } = await editor.json(200, "GET", "/admin/api/drafts");
    assert.deepEqual(items, []);
  });

  it("forget it when another page takes the path", async () => {
    await editor.json(200, "POST", "/admin/api/pages/move", {
      path: OLD,
      to: "01.guide/03.far/default.md",
    });
    await editor.json(201, "POST", "/admin/api/pages", { path: OLD, content: "Another\n" });
    await editor.json(200, "DELETE", `/admin/api/pages/${OLD}`);
    const gone = await editor.json(404, "GET", `/admin/api/pages/${OLD}`);
    assert.equal(gone.movedTo, undefined);
  });
});
