import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { adminPlugins } from "../../support/sites/admin-site.js";
import { until } from "../../support/until.js";
import { bootForms, type FormSite } from "../forms/form-site.js";

const plugins = [...adminPlugins, "render", "forms", "comments", "email", "outbound"];
const files = {
  "content/05.post/post.md": "---\ntitle: Post\ndate: 2026-01-01\ncomments: true\n---\nText.\n",
  "content/06.silent/post.md": "---\ntitle: Silent\ndate: 2026-01-01\n---\nText.\n",
  "content/07.secret/default.md":
    "---\ntitle: Secret\ncomments: true\nroles: [member]\n---\nText.\n",
  "blueprints/note.yaml":
    "template: default\nfields: { comments: { type: toggle, default: true } }\n",
  "content/08.note/note.md": "---\ntitle: Note\n---\nText.\n",
};
const member = definePlugin({
  name: "member",
  version: "1.0.0",
  setup: (site) =>
    site.http.use("identity", (req, _res, next) => {
      if (req.headers["x-member"] !== undefined)
        req.ctx.state.viewer = { roles: ["member"], seesUnpublished: false };
      next();
    }),
});

describe("comments", () => {
  let site: FormSite;
  const boot = (comments: Record<string, unknown> = {}) =>
    bootForms({ plugins, files, extraPlugins: [member], settings: { site: { comments } } });
  afterEach(() => site.close());

  const send = async (
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const body = new URLSearchParams({ route: "/post", name: "Ada", text: "Hello", ...fields });
    return site.fetch("/api/comments", { method: "POST", body, headers });
  };
  const read = async (route = "/post", headers: Record<string, string> = {}) => {
    const answer = await site.fetch(`/api/comments?route=${route}`, { headers });
    return { status: answer.status, ...(await answer.json()) };
  };

  it("appear once a moderator has approved them, also on cached pages", async () => {
    site = await boot({ notify: ["mod@example.org"] });
    const token = await site.token("/post");
    site.wait(5);
    assert.match(await (await site.fetch("/post")).text(), /There are no comments yet/);
    const sent = await send({ _token: token, text: "**Nice** <script>alert(1)</script>" });
    assert.equal(sent.status, 303);
    assert.equal(sent.headers.get("location"), "/post?commented=1#comments");
    assert.match(await (await site.fetch("/post?commented=1")).text(), /appears when it has been/);
    await until(() => site.mails.length === 1);
    assert.deepEqual((await read()).items, []);

    const editor = await site.as("editor");
    const { items } = await editor.json(200, "GET", "/admin/api/comments?status=pending");
    const [{ id, page }] = items;
    const change = { page, id, status: "approved" };
    await (await site.as("author")).json(403, "POST", "/admin/api/comments/status", change);
    await editor.json(200, "POST", "/admin/api/comments/status", change);
    const html = await (await site.fetch("/post")).text();
    assert.match(html, new RegExp(`id="comment-${id}"`));
    assert.match(html, /<strong>Nice<\/strong>/);
    assert.doesNotMatch(html, /alert\(1\)<\/script>/);
    assert.equal((await read()).total, 1);

    const reply = await site.fetch(`/comments/reply?route=/post&to=${id}`);
    assert.match(await reply.text(), new RegExp(`name="parent" value="${id}"`));
    await editor.json(200, "DELETE", `/admin/api/comments/${id}?page=${page}`);
    assert.deepEqual((await read()).items, []);
    await editor.json(404, "DELETE", `/admin/api/comments/${id}?page=${page}`);
    const events = (await site.audit()).map(({ event }) => event);
    assert.ok(events.includes("comment.status") && events.includes("comment.delete"));
  });

  it("are threaded one level, without moderation at once", async () => {
    site = await boot({ moderated: false });
    const { token } = await (await site.fetch("/api/comments/token")).json();
    site.wait(5);
    const json = { accept: "application/json" };
    const first = await send({ _token: token }, json);
    assert.equal(first.status, 201);
    const { id, status } = await first.json();
    assert.equal(status, "approved");
    const second = await (await send({ _token: token, parent: id, text: "Reply" }, json)).json();
    await send({ _token: token, parent: second.id, text: "Reply to the reply" }, json);
    await send({ _token: token, text: "http://a.b http://c.d https://e.f" }, json);
    const { items, total } = await read();
    assert.equal(total, 3);
    assert.equal(items[0].replies.length, 2);
  });

  it("of pages that the visitor may not see, or without comments, do not exist", async () => {
    site = await boot({ moderated: false });
    const { token } = await (await site.fetch("/api/comments/token")).json();
    site.wait(5);
    assert.equal((await read("/silent")).status, 404);
    assert.equal((await read("/note")).status, 200);
    assert.equal((await read("/secret")).status, 404);
    assert.equal((await send({ _token: token, route: "/secret" })).status, 404);
    assert.equal(
      (await send({ _token: token, route: "/secret" }, { "x-member": "1" })).status,
      303,
    );
    assert.equal((await read("/secret", { "x-member": "1" })).total, 1);
    assert.equal((await read("/secret")).status, 404);
    assert.doesNotMatch(await (await site.fetch("/silent")).text(), /form-comments/);
  });

  it("that do not fit are shown again in their page", async () => {
    site = await boot();
    const token = await site.token("/post");
    site.wait(5);
    const answer = await send({ _token: token, name: "", email: "nope", text: "<b>typed" });
    const html = await answer.text();
    assert.equal(answer.status, 422);
    assert.match(html, /<h1>Post<\/h1>/);
    assert.match(html, /id="form-comments-name-error"/);
    assert.match(html, /id="form-comments-email-error"/);
    assert.match(html, /&lt;b&gt;typed<\/textarea>/);
    assert.equal((await send({ _token: "x" })).status, 422);
    const trapped = await send({ _token: token, _url: "x" });
    assert.equal(trapped.status, 303);
    const editor = await site.as("editor");
    assert.equal((await editor.json(200, "GET", "/admin/api/comments?status=spam")).total, 1);
  });

  it("of visitors only need a login", async () => {
    site = await boot({ from: "visitors" });
    const token = await site.token("/post");
    site.wait(5);
    const answer = await send({ _token: token });
    assert.equal(answer.status, 401);
    assert.match(await answer.text(), /Please log in/);
  });

  it("never fail on hostile input", async () => {
    site = await boot();
    for (const route of ["__proto__", "//evil", "/post/../x", "\u0000", "a".repeat(5_000)])
      assert.equal((await send({ route })).status, 404, route);
    const json = { "content-type": "application/json" };
    for (const body of ['{"route":["/post"]}', "{}", '{"__proto__":1}'])
      assert.equal(
        (await site.fetch("/api/comments", { method: "POST", body, headers: json })).status,
        404,
      );
  });
});
