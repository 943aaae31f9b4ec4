import assert from "node:assert/strict";
import type { TestSite } from "../../support/sites/boot-site.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";

const HOME = "01.home/default.md";
const RIGHTS = ["pages.read", "pages.update", "pages.create", "pages.delete", "pages.publish"];
const actor = { id: "1", name: "Ada", email: "ada@example.org" };

describe("a file changed here and in the git remote", () => {
  let remote: GitRemote;
  let site: TestSite;
  let secret = "";
  beforeEach(async () => {
    remote = await gitRemote();
    site = await remote.boot();
    await sync();
    const token = { name: "t", userId: null, expiresAt: null };
    const { tokens } = site.site.use("admin");
    secret = (await tokens.create({ ...token, permissions: RIGHTS })).secret;
  });
  afterEach(() => remote.close());
  const sync = () => site.site.use("gitSync").sync();
  const conflicts = () => site.site.use("gitSync").conflicts();
  const text = (path: string): string => `${remote.bare("show", `main:${path}`)}\n`;
  const call = (method: string, path: string, body?: unknown, token = secret) =>
    site.fetch(`/admin/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const collide = async (): Promise<string> => {
    const change = { op: "write", path: HOME, content: page("Ours") } as const;
    await site.site.use("content").apply([change], { actor, message: "ours" });
    await remote.push({ [HOME]: page("Theirs"), "02.new.md": page("New") });
    await sync();
    const [conflict] = await conflicts();
    return conflict?.id ?? "";
  };

  it("is listed with both texts; the remote's is served, and the rest is merged", async () => {
    const id = await collide();
    const answer = await call("GET", "/conflicts");
    const { items, total } = (await answer.json()) as Awaited<{ items: object[]; total: number }>;
    assert.equal(total, 1);
    const [{ at: _, ...shown } = { at: 0 }] = items as { at: number }[];
    assert.deepEqual(shown, {
      id,
      path: HOME,
      sourcePath: HOME,
      ours: page("Ours"),
      theirs: page("Theirs"),
      author: { name: "Ada", email: "ada@example.org" },
    });
    const { bySource } = site.site.use("content").generation();
    assert.equal(bySource.get(HOME)?.title, "Theirs");
    assert.equal(bySource.get("02.new.md")?.title, "New");
    assert.equal(text(HOME), page("Theirs"));
    const [problem] = site.site.use("health").problems();
    assert.match(problem?.problem ?? "", /^1 file was changed here and in the git remote/);
  });

  it("cannot be saved, moved or deleted before: 409, for a save with both texts", async () => {
    const id = await collide();
    const saved = await call("PUT", `/pages/${HOME}`, { content: page("More") });
    assert.equal(saved.status, 409);
    const body = (await saved.json()) as { error: string; current: { raw: string }; yours: object };
    assert.deepEqual([body.current.raw, body.yours], [page("Theirs"), { content: page("More") }]);
    assert.ok(body.error.includes(id));
    assert.equal((await call("DELETE", `/pages/${HOME}`)).status, 409);
    const move = { op: "move", path: "01.home", to: "05.home" } as const;
    const [moved] = await site.site.use("content").apply([move]);
    assert.equal(moved?.code, "ERR_CONTENT_CONFLICT");
    assert.equal((await call("PUT", "/pages/02.new.md", { content: page("More") })).status, 200);
  });

  for (const [resolution, title] of [
    [{ take: "ours" }, "Ours"],
    [{ take: "theirs" }, "Theirs"],
    [{ content: page("Both") }, "Both"],
  ] as const) {
    it(`is resolved by ${JSON.stringify(resolution)}`, async () => {
      const id = await collide();
      assert.equal((await call("POST", `/conflicts/${id}`, resolution)).status, 200);
      assert.equal((await call("POST", `/conflicts/${id}`, resolution)).status, 404);
      await sync();
      assert.equal(text(HOME), page(title));
      assert.deepEqual(await conflicts(), []);
      assert.deepEqual(site.site.use("health").problems(), []);
      assert.equal((await call("PUT", `/pages/${HOME}`, { content: page("More") })).status, 200);
    });
  }

  it("is resolved only with the permission, and with a valid text", async () => {
    const id = await collide();
    const token = { name: "t", userId: null, expiresAt: null, permissions: ["pages.read"] };
    const reader = (await site.site.use("admin").tokens.create(token)).secret;
    const ours = { take: "ours" };
    assert.equal((await call("POST", `/conflicts/${id}`, ours, reader)).status, 403);
    assert.equal((await call("POST", `/conflicts/${id}`, { take: "all" })).status, 400);
    const broken = { content: "---\ntitle: [\n---\n" };
    assert.equal((await call("POST", `/conflicts/${id}`, broken)).status, 422);
    assert.equal((await conflicts()).length, 1);
  });

  it("stays listed over a restart", async () => {
    const id = await collide();
    await site.close();
    site = await remote.boot();
    assert.deepEqual(
      (await conflicts()).map((one) => one.id),
      [id],
    );
    const change = { op: "delete", path: HOME } as const;
    const [result] = await site.site.use("content").apply([change]);
    assert.equal(result?.code, "ERR_CONTENT_CONFLICT");
  });

  it("is listed when one side deleted it, and restored or deleted again by the decision", async () => {
    await site.site.use("content").apply([{ op: "delete", path: HOME }], { actor });
    await remote.push({ [HOME]: page("Theirs"), "02.new.md": page("New") });
    await sync();
    const [deleted] = await conflicts();
    assert.deepEqual([deleted?.ours, deleted?.theirs], [null, page("Theirs")]);
    await site.site.use("gitSync").resolve(deleted?.id ?? "", { take: "ours" });
    await site.site
      .use("content")
      .apply([{ op: "write", path: "02.new.md", content: page("Mine") }]);
    remote.git("pull", "-q", "origin", "main");
    await remote.push({ "02.new.md": null });
    await sync();
    const [gone] = await conflicts();
    assert.deepEqual([gone?.path, gone?.ours, gone?.theirs], ["02.new.md", page("Mine"), null]);
    const created = await call("POST", "/pages", { path: "02.new.md", content: page("Again") });
    assert.equal(created.status, 409);
    await site.site.use("gitSync").resolve(gone?.id ?? "", { take: "ours" });
    await sync();
    assert.equal(text("02.new.md"), page("Mine"));
    assert.equal(remote.bare("ls-tree", "-r", "--name-only", "main"), "02.new.md");
  });

  it("is no conflict when both made the same change, or the remote has it after a force-push", async () => {
    await site.site.use("content").apply([{ op: "write", path: HOME, content: page("Same") }]);
    await remote.push({ [HOME]: page("Same") });
    await sync();
    assert.deepEqual(await conflicts(), []);
    assert.equal(remote.bare("log", "--format=%an", "main"), "Eve\nEve");
  });
});
