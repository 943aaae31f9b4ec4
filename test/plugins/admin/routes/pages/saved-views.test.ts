import assert from "node:assert/strict";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const VIEWS = "/admin/api/views";

describe("saved views of the list of pages", () => {
  const site = useFreshAdmin();
  const author = site.user("author");
  const editor = site.user("editor");
  const own = { name: "My drafts", query: { status: "draft", sort: "changed" } };
  const names = async (who = author) =>
    (await who.json(200, "GET", VIEWS)).items.map(({ name }: { name: string }) => name);

  it("are seen by who saved them only, until they are shared", async () => {
    const view = await author.json(201, "POST", VIEWS, own);
    assert.deepEqual(view.query, own.query);
    assert.equal(view.isShared, false);
    assert.deepEqual(await names(), ["My drafts"]);
    assert.deepEqual(await names(editor), []);
    const url = `${VIEWS}/${view.id}`;
    assert.equal((await editor.send("PUT", url, own)).status, 404);
    assert.equal((await editor.send("DELETE", url)).status, 404);
    await author.json(200, "PUT", url, { ...own, name: "Drafts" });
    assert.deepEqual(await names(), ["Drafts"]);
    await author.json(200, "DELETE", url);
    assert.deepEqual(await names(), []);
  });

  it("are shared, changed and deleted for all with pages.publish only", async () => {
    const shared = { ...own, name: "Archive", isShared: true };
    const { error } = await author.json(403, "POST", VIEWS, shared);
    assert.match(error, /pages\.publish/);
    const { id } = await editor.json(201, "POST", VIEWS, shared);
    const { items } = await author.json(200, "GET", VIEWS);
    assert.deepEqual([items[0].name, items[0].mayChange], ["Archive", false]);
    const url = `${VIEWS}/${id}`;
    assert.equal((await author.send("PUT", url, own)).status, 403);
    assert.equal((await author.send("DELETE", url)).status, 403);
    const mine = await author.json(201, "POST", VIEWS, own);
    const share = { ...own, isShared: true };
    assert.equal((await author.send("PUT", `${VIEWS}/${mine.id}`, share)).status, 403);
    await editor.json(200, "DELETE", url);
    assert.deepEqual(await names(), ["My drafts"]);
  });

  it("are deleted with their account, except shared ones", async () => {
    await editor.json(201, "POST", VIEWS, own);
    await editor.json(201, "POST", VIEWS, { ...own, name: "All", isShared: true });
    const admin = await site.as("admin");
    await admin.json(200, "DELETE", `/admin/api/users/${editor.id}`);
    assert.deepEqual(await names(), ["All"]);
  });

  it("have only keys of the list, and at most 50 belong to an account", async () => {
    const bad = [
      { ...own, name: " " },
      { ...own, query: { limit: "5" } },
      { ...own, query: { q: 5 } },
      { query: {} },
    ];
    for (const body of bad) assert.equal((await author.send("POST", VIEWS, body)).status, 400);
    for (let at = 0; at < 50; at += 1) await author.json(201, "POST", VIEWS, own);
    const { error } = await author.json(409, "POST", VIEWS, own);
    assert.match(error, /at most 50/);
    assert.equal((await author.send("DELETE", `${VIEWS}/none`)).status, 404);
  });
});

describe("GET {admin.path}/api/pages?columns", () => {
  const site = useFreshAdmin();
  const editor = site.user("editor");

  it("responds with the values of these keys for every page", async () => {
    const { items } = await editor.json(200, "GET", "/admin/api/pages?columns=title,order,none");
    for (const { title, order, columns } of items)
      assert.deepEqual(columns, { title, order, none: null });
    assert.equal((await editor.send("GET", "/admin/api/pages?columns=a%2F")).status, 400);
  });
});
