import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "#lib/secrets";
import { adminPlugins } from "../../support/sites/admin-site.js";
import { bootForms, type FormSite } from "../forms/form-site.js";

const plugins = [...adminPlugins, "render", "forms", "comments", "email", "outbound"];
const files = {
  "content/05.post/post.md": "---\ntitle: Post\ndate: 2026-01-01\ncomments: true\n---\nText.\n",
};
/** 5,000 characters that cost 0.5 s of processor time and more. */
const costly = "*a_".repeat(1_666);
const json = { accept: "application/json" };
const recordShape = z.object({
  page: z.string(),
  comments: z.array(z.record(z.string(), z.unknown())),
});

describe("the text of comments", function () {
  this.timeout(120_000);
  let site: FormSite;
  let token: string;
  const boot = async (comments: Record<string, unknown> = {}): Promise<void> => {
    const forms = { limit: 1_000 };
    site = await bootForms({ plugins, files, settings: { site: { comments, forms } } });
    ({ token } = await (await site.fetch("/api/comments/token")).json());
    site.wait(5);
  };
  afterEach(() => site.close());

  const send = async (
    fields: Record<string, string>,
    headers: Record<string, string> = json,
  ): Promise<Response> => {
    const all = { route: "/post", name: "Ada", text: "Hello", _token: token, ...fields };
    return site.fetch("/api/comments", {
      method: "POST",
      body: new URLSearchParams(all),
      headers,
    });
  };
  const read = async (route = "/post") => (await site.fetch(`/api/comments?route=${route}`)).json();
  /** The stored comments of a page. */
  const record = async (page: string) => {
    const name = `${sha256(page)}.json`;
    const found = (await readdir(site.root, { recursive: true })).find((one) => one.endsWith(name));
    const file = join(site.root, found ?? name);
    const stored = recordShape.parse(JSON.parse(await readFile(file, "utf8")));
    return { file, stored };
  };

  it("leaves the event loop free while it is rendered", async () => {
    await boot();
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const before = turns;
    await send({ text: costly });
    clearInterval(turning);
    // On the event loop there would be no turn from the parsed request to the stored comment.
    assert.ok(turns - before > 100, `${turns - before} turns`);
  });

  it("is refused when it cannot be rendered", async () => {
    await boot();
    const nested = `${"> ".repeat(2_000)}<b>`;
    const answer = await send({ text: nested });
    assert.equal(answer.status, 422);
    const { error, validationErrors } = await answer.json();
    assert.match(error, /text/);
    assert.equal(validationErrors[0].field, "text");
    const page = await send({ text: nested }, {});
    assert.equal(page.status, 422);
    assert.match(await page.text(), /id="form-comments-text-error"/);
    const editor = await site.as("editor");
    assert.equal((await editor.json(200, "GET", "/admin/api/comments")).total, 0);
  });

  it("of an earlier version is rendered once and kept", async () => {
    await boot({ moderated: false });
    await send({ text: "**old**" });
    await send({ text: `${"> ".repeat(2_000)}` }).catch(() => null);
    const { file, stored } = await record("post");
    const comments = stored.comments.map(({ html: _html, ...rest }) => rest);
    const [one] = comments;
    const deep = { ...one, id: `${String(one?.["id"]).slice(0, -1)}0`, text: "> ".repeat(2_000) };
    await writeFile(file, JSON.stringify({ page: stored.page, comments: [one, deep] }));

    const { items } = await read();
    assert.match(items[0].html, /<strong>old<\/strong>/);
    assert.match(items[1].html, /^<p>&gt; &gt; /);
    const kept = (await record("post")).stored.comments;
    assert.deepEqual(
      kept.map(({ html }) => html),
      items.map(({ html }: { html: string }) => html),
    );
    const changed = kept.map((comment) => ({ ...comment, html: "<p>kept</p>" }));
    await writeFile(file, JSON.stringify({ page: stored.page, comments: changed }));
    assert.equal((await read()).items[0].html, "<p>kept</p>");
  });

  it("is rendered when it is stored, for views and for moderators", async () => {
    await boot();
    await send({ text: "*new*" });
    assert.equal((await record("post")).stored.comments[0]?.["html"], "<p><em>new</em></p>");
    const editor = await site.as("editor");
    const { items } = await editor.json(200, "GET", "/admin/api/comments");
    assert.equal(items[0].html, "<p><em>new</em></p>");
  });

  it("keeps a subset of Markdown and drops the rest", async () => {
    await boot({ moderated: false });
    await send({
      text: "# Big\n\n[a](javascript:alert(1)) [b](https://b.example) ![i](x.png) {{ form contact }}\n\n<img src=x onerror=1>",
    });
    const { html } = (await read()).items[0];
    assert.doesNotMatch(html, /<h1|javascript:|<img|<form/);
    assert.match(html, /<a rel="nofollow ugc noopener" href="https:\/\/b\.example">b<\/a>/);
    assert.match(html, /\{\{ form contact \}\}/);
  });

  it("is not part of the limit of a page while it is spam", async () => {
    await boot({ max_per_page: 3 });
    for (let count = 0; count < 4; count += 1) await send({ _url: "x" });
    assert.equal((await send({ text: "one" })).status, 201);
    assert.equal((await send({ text: "two" })).status, 201);
    assert.equal((await send({ text: "three" })).status, 201);
    assert.equal((await send({ text: "four" })).status, 409);
    const editor = await site.as("editor");
    assert.equal((await editor.json(200, "GET", "/admin/api/comments?status=pending")).total, 3);
    const [{ id, page }] = (await editor.json(200, "GET", "/admin/api/comments?status=pending"))
      .items;
    await editor.json(200, "POST", "/admin/api/comments/status", { page, id, status: "trash" });
    assert.equal((await send({ text: "four" })).status, 201);
  });

  it("of spam is bounded: the newest of a page are kept", async () => {
    await boot({ moderated: false });
    await send({ text: "shown" });
    for (let count = 0; count < 105; count += 1) {
      site.wait(1);
      await send({ _url: "x", text: `spam ${count}` });
    }
    const editor = await site.as("editor");
    const spam = await editor.json(200, "GET", "/admin/api/comments?status=spam&limit=200");
    assert.equal(spam.total, 100);
    assert.equal(spam.items[0].text, "spam 104");
    assert.equal((await read()).total, 1);
  });
});
