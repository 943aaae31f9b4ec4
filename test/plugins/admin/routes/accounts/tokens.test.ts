import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { client } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

describe("API tokens", () => {
  let now = Date.parse("2026-05-01T00:00:00Z");
  const site = useFreshAdmin({ clock: { now: () => now } });
  const editor = site.user("editor");
  const bearer = (token: string) => client(site, { id: "", cookie: "", csrf: "", bearer: token });
  const make = (permissions: string[], expires: string | null = null) =>
    editor.json(201, "POST", "/admin/api/tokens", { name: "CI", permissions, expires });

  it("use their permissions without cookie, origin and CSRF token, and nothing else", async () => {
    const { token } = await make(["pages.read", "pages.update", "pages.publish"]);
    const program = bearer(token);
    await program.json(200, "PUT", "/admin/api/pages/01.home/default.md", { body: "By a token\n" });
    const denied = await program.send("DELETE", "/admin/api/pages/01.home/default.md");
    assert.equal(denied.status, 403);
    assert.match(await denied.text(), /pages\.delete/);
  });

  it("are stored as a digest and shown once", async () => {
    const { token } = await make(["pages.read"]);
    const folder = join(site.root, ".dune/admin/tokens");
    const [file = ""] = await readdir(folder);
    // A secret may contain "_" itself.
    const secret = token.split("_").slice(2).join("_");
    assert.doesNotMatch(await readFile(join(folder, file), "utf8"), new RegExp(secret));
    const { items } = await editor.json(200, "GET", "/admin/api/tokens");
    assert.doesNotMatch(JSON.stringify(items), /hash|secret/);
    assert.equal(items[0].name, "CI");
  });

  it("end when they expire or are revoked", async () => {
    const short = await make(["pages.read"], "2026-05-02");
    const long = await make(["pages.read"]);
    assert.equal((await bearer(short.token).send("GET", "/admin/api/pages")).status, 200);
    now += 86_400_001;
    assert.equal((await bearer(short.token).send("GET", "/admin/api/pages")).status, 401);
    await editor.json(200, "DELETE", `/admin/api/tokens/${long.id}`).catch(() => undefined);
    await (await site.as("admin")).send("DELETE", `/admin/api/tokens/${long.id}`);
    assert.equal((await bearer(long.token).send("GET", "/admin/api/pages")).status, 401);
  });

  it("create no token that outlives them", async () => {
    const { token } = await make(["pages.read"], "2026-06-01");
    const child = (expires: string | null) => ({
      name: "child",
      permissions: ["pages.read"],
      expires,
    });
    for (const expires of [null, "2026-06-01T00:00:01Z"]) {
      const { error } = await bearer(token).json(403, "POST", "/admin/api/tokens", child(expires));
      assert.match(error, /expires must be 2026-06-01T00:00:00.000Z or earlier/);
    }
    await bearer(token).json(201, "POST", "/admin/api/tokens", child("2026-06-01"));
    assert.equal((await editor.json(200, "GET", "/admin/api/tokens")).total, 2);
  });

  it("never exceed their account's current rights", async () => {
    const { token } = await make(["pages.read", "pages.delete"]);
    await site.site.use("users").update(editor.id, (user) => ({ ...user, roles: ["author"] }));
    assert.equal((await bearer(token).send("GET", "/admin/api/pages")).status, 200);
    assert.equal(
      (await bearer(token).send("DELETE", "/admin/api/pages/01.home/default.md")).status,
      403,
    );
    await site.site.use("users").delete(editor.id);
    assert.equal((await bearer(token).send("GET", "/admin/api/pages")).status, 401);
  });

  it("record their use, at most every five minutes", async () => {
    const { token, id } = await make(["pages.read"]);
    const used = async () =>
      (await site.site.use("admin").tokens.list()).find((one) => one.id === id)?.lastUsedAt;
    assert.equal(await used(), null);
    await bearer(token).send("GET", "/admin/api/pages");
    const first = now;
    assert.equal(await used(), first);
    now += 60_000;
    await bearer(token).send("GET", "/admin/api/pages");
    assert.equal(await used(), first);
    now += 300_000;
    await bearer(token).send("GET", "/admin/api/pages");
    assert.equal(await used(), now);
  });

  it("are rejected with missing, unknown or foreign permissions, and an expiry in the past", async () => {
    const post = (body: object) => editor.send("POST", "/admin/api/tokens", { name: "x", ...body });
    assert.equal((await post({ permissions: ["users.manage"] })).status, 403);
    for (const body of [
      { permissions: ["all"] },
      { permissions: [] },
      {},
      { permissions: ["pages.read"], expires: "2020-01-01" },
      { permissions: ["pages.read"], expires: "soon" },
    ]) {
      assert.equal((await post(body)).status, 400, JSON.stringify(body));
    }
  });

  it("of other accounts are hidden", async () => {
    const { id } = await make(["pages.read"]);
    const author = await site.as("author");
    assert.equal((await author.json(200, "GET", "/admin/api/tokens")).total, 0);
    assert.equal((await author.send("DELETE", `/admin/api/tokens/${id}`)).status, 404);
  });

  it("are a 401 when they are unknown or malformed, while the public API ignores them", async () => {
    for (const token of [
      `site_0000000000000000_${"A".repeat(43)}`,
      "site_x",
      "eyJhbGciOi.J9.x",
      "%00",
    ]) {
      assert.equal((await bearer(token).send("GET", "/admin/api/pages")).status, 401, token);
      assert.equal((await bearer(token).send("GET", "/api/pages")).status, 200, token);
    }
  });
});
