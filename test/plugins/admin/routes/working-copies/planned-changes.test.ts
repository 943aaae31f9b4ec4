import assert from "node:assert/strict";
import { definePlugin, HttpError } from "#kernel";
import type { JobEngine } from "../../../../../plugins/jobs/contract.js";
import {
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";

const path = "02.blog/01.first/post.md";
const draft = "02.blog/02.second/post.md";
const url = `/admin/api/drafts/${path}`;
const live = "---\ntitle: First\n---\none\n\ntwo\n";
const content = live.replace("two", "2");
const at = "2026-06-01T10:00:00.000Z";

describe("planned changes of a live page", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let author: AdminClient;
  const clock = { at: 0, now: () => clock.at };
  beforeEach(async () => {
    clock.at = Date.parse("2026-06-01T08:00:00Z");
    site = await bootAdmin({ clock, files: { [`content/${path}`]: live } });
    editor = await site.as("editor");
    author = await site.as("author");
    await author.json(201, "PUT", url, { content });
  });
  afterEach(() => site.close());
  const plan = (scheduledAt = at) => editor.send("POST", `${url}/schedule`, { scheduledAt });
  const body = async () => (await editor.json(200, "GET", `/admin/api/pages/${path}`)).body;
  const listed = async () => (await editor.json(200, "GET", "/admin/api/workflow/scheduled")).items;
  /** Lets the time of the plan come. */
  const arrive = async () => {
    clock.at = Date.parse(at);
    await site.site.use("jobs").flush("planned-changes");
  };

  it("are published at their time, by the person who planned them", async () => {
    const answer = await plan("2026-06-01T12:00:00+02:00");
    assert.equal(answer.status, 201);
    const [item] = await listed();
    assert.deepEqual(
      [item.sourcePath, item.action, item.scheduledAt, item.problem],
      [path, "changes", at, null],
    );
    assert.equal(await body(), "one\n\ntwo\n");
    await arrive();
    assert.equal(await body(), "one\n\n2\n");
    assert.deepEqual(await listed(), []);
    assert.equal((await editor.json(200, "GET", "/admin/api/drafts")).total, 0);
    const entry = (await site.audit()).find(({ event }) => event === "draft.publish");
    assert.equal(entry?.actor?.id, editor.id);
  });

  it("are changed and cancelled; the text stays", async () => {
    await plan();
    await plan("2026-06-01T12:00:00Z");
    await arrive();
    assert.equal(await body(), "one\n\ntwo\n");
    assert.equal((await listed())[0].scheduledAt, "2026-06-01T12:00:00.000Z");
    const copy = await editor.json(200, "DELETE", `${url}/schedule`);
    assert.equal(copy.plan, null);
    assert.deepEqual(await listed(), []);
    assert.equal((await editor.send("DELETE", `${url}/schedule`)).status, 404);
    clock.at = Date.parse("2026-06-01T13:00:00Z");
    await site.site.use("jobs").flush("planned-changes");
    assert.equal(await body(), "one\n\ntwo\n");
  });

  it("do not publish later edits by authors without the right to publish", async () => {
    await plan();
    const { etag } = await editor.json(200, "GET", url);
    const more = { content: content.replace("one", "unseen") };
    await author.json(200, "PUT", url, more, { "if-match": `"${etag}"` });
    assert.match((await listed())[0].problem, /changed the text after it was planned/);
    await arrive();
    assert.equal(await body(), "one\n\ntwo\n");
    assert.match((await editor.json(200, "GET", url)).plan.problem, /plan it again/);
  });

  it("publish later edits by users with the right to publish", async () => {
    await plan();
    const { etag } = await editor.json(200, "GET", url);
    const more = { content: content.replace("one", "seen") };
    await editor.json(200, "PUT", url, more, { "if-match": `"${etag}"` });
    await arrive();
    assert.equal(await body(), "seen\n\n2\n");
  });

  it("stay unpublished, with the reason, after a conflicting change of the page or the loss of the right", async () => {
    await plan();
    const rival = live.replace("two", "zwei");
    await site.site.use("content").apply([{ op: "write", path, content: rival }]);
    await arrive();
    assert.equal(await body(), "one\n\nzwei\n");
    await until(async () => (await listed())[0].problem !== null);
    assert.match((await listed())[0].problem, /has changed/);
    clock.at = Date.parse("2026-06-01T08:00:00Z");
    await site.site.use("content").apply([{ op: "write", path, content: live }]);
    await plan();
    const admin = await site.as("admin");
    await admin.json(200, "PUT", `/admin/api/users/${editor.id}`, { roles: ["author"] });
    await arrive();
    assert.equal(await body(), "one\n\ntwo\n");
    const { plan: failed } = await admin.json(200, "GET", url);
    assert.match(failed.problem, /may no longer publish/);
  });

  it("are not planned when the job that publishes them cannot be stored", async () => {
    const full = definePlugin({
      name: "full-queue",
      version: "1.0.0",
      requires: ["jobs"],
      setup({ engines }) {
        const slot = engines.slot("jobs");
        const stored: JobEngine = slot.active;
        const refusing = new Proxy(stored, {
          get(target, name) {
            if (name === "add") return () => Promise.reject(new HttpError(503, "no space left"));
            const member: unknown = Reflect.get(target, name, target);
            return typeof member === "function" ? member.bind(target) : member;
          },
        });
        engines.activate("jobs", refusing, { wraps: slot.activeName });
      },
    });
    const other = await bootAdmin({ files: { [`content/${path}`]: live }, extraPlugins: [full] });
    const person = await other.as("editor");
    await person.json(201, "PUT", url, { content });
    const answer = await person.send("POST", `${url}/schedule`, {
      scheduledAt: "2099-01-01T08:00:00Z",
    });
    assert.equal(answer.status, 503);
    assert.equal((await person.json(200, "GET", url)).plan, null);
    await other.close();
  });

  it("follow a page that moves", async () => {
    await plan();
    const to = "02.blog/01.moved/post.md";
    await editor.json(200, "POST", "/admin/api/pages/move", { path, to });
    assert.equal((await listed())[0].sourcePath, to);
    await arrive();
    const moved = await editor.json(200, "GET", `/admin/api/pages/${to}`);
    assert.equal(moved.body, "one\n\n2\n");
  });

  it("need a live page, a future time and the right to publish", async () => {
    assert.equal((await plan("2026-06-01T07:00:00Z")).status, 400);
    assert.equal((await plan("tomorrow")).status, 400);
    const forbidden = await author.send("POST", `${url}/schedule`, { scheduledAt: at });
    assert.equal(forbidden.status, 403);
    assert.equal((await author.send("DELETE", `${url}/schedule`)).status, 403);
    const other = `/admin/api/drafts/${draft}`;
    assert.equal((await editor.send("POST", `${other}/schedule`, { scheduledAt: at })).status, 404);
    await author.json(201, "PUT", other, { content: "---\ntitle: Second\n---\nx\n" });
    assert.equal((await editor.send("POST", `${other}/schedule`, { scheduledAt: at })).status, 400);
    const token = await site.withToken(["pages.read", "pages.publish", "pages.update"]);
    assert.equal((await token.send("POST", `${url}/schedule`, { scheduledAt: at })).status, 400);
  });
});
