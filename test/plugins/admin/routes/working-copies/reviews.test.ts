import assert from "node:assert/strict";
import { bootAccounts, type AccountSite } from "../../../../support/sites/account-site.js";
import type { AdminClient } from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";

const path = "02.blog/01.first/post.md";
const url = `/admin/api/drafts/${path}`;
const lines = "---\ntitle: First\nsummary: Old\n---\none\n\ntwo\n\nthree\n";
const files = {
  [`content/${path}`]: lines,
  "blueprints/post.yaml":
    "title: Post\nfields:\n  title: { type: text, label: Headline }\n  summary: { type: text }\n",
  "admin.yaml":
    'roles:\n  shopkeeper:\n    permissions: [pages.read, pages.publish, pages.update]\n    paths: ["shop/**"]\n',
};

describe("reviews of working copies", () => {
  let site: AccountSite;
  let author: AdminClient;
  let editor: AdminClient;
  beforeEach(async () => {
    site = await bootAccounts({ files, clock: { now: () => Date.parse("2026-05-01T00:00:00Z") } });
    author = await site.as("author");
    editor = await site.as("editor");
  });
  afterEach(() => site.close());
  const save = (content: string) => author.json(201, "PUT", url, { content });
  const ask = (note?: string) =>
    author.json(200, "POST", `${url}/review`, { requested: true, ...(note && { note }) });
  const events = async () => (await site.audit()).map(({ event }) => event);
  const waiting = async (review: string) =>
    (await editor.json(200, "GET", `/admin/api/drafts?review=${review}`)).total;
  /** The n-th mail to an address, from 1. */
  const mailTo = async (address: string, nth: number) => {
    const received = () =>
      site.mail.received.filter(({ recipients }) => recipients.join() === address);
    await until(() => received().length >= nth);
    const mail = received()[nth - 1]?.mail;
    return { subject: mail?.subject ?? "", text: mail?.text ?? "" };
  };

  it("show what a text changes, per field and per paragraph", async () => {
    await save(lines.replace("First", "Changed").replace("two", "2\n\n```\na\n\nb\n```"));
    const changes = await editor.json(200, "GET", `${url}/changes`);
    assert.deepEqual(changes.fields, [
      { name: "title", label: "Headline", before: "First", after: "Changed" },
    ]);
    assert.deepEqual(changes.text, [
      { kind: "equal", count: 1 },
      { kind: "change", before: "two", after: "2" },
      { kind: "change", before: null, after: "```\na\n\nb\n```" },
      { kind: "equal", count: 1 },
    ]);
    assert.deepEqual([changes.isNew, changes.hasConflict], [false, false]);
  });

  it("show removed keys and the whole text of a new page", async () => {
    await save(lines.replace("summary: Old\n", ""));
    const { fields, text } = await editor.json(200, "GET", `${url}/changes`);
    const [removed] = fields;
    assert.deepEqual([removed.name, removed.before, removed.after], ["summary", "Old", null]);
    assert.deepEqual(text, [{ kind: "equal", count: 3 }]);
    const other = "/admin/api/drafts/02.blog/09.new/post.md";
    await author.json(201, "PUT", other, { content: "---\ntitle: New\n---\nText.\n" });
    const created = await editor.json(200, "GET", `${other}/changes`);
    assert.equal(created.isNew, true);
    assert.deepEqual(created.text, [{ kind: "change", before: null, after: "Text." }]);
  });

  it("show only what publishing changes when the page has changed since", async () => {
    await save(lines.replace("one", "ONE"));
    const live = lines.replace("three", "THREE");
    await site.site.use("content").apply([{ op: "write", path, content: live }]);
    const merged = await editor.json(200, "GET", `${url}/changes`);
    assert.deepEqual(
      merged.text.filter(({ kind }: { kind: string }) => kind === "change"),
      [{ kind: "change", before: "one", after: "ONE" }],
    );
    await site.site
      .use("content")
      .apply([{ op: "write", path, content: live.replace("one", "uno") }]);
    const crossing = await editor.json(200, "GET", `${url}/changes`);
    assert.equal(crossing.hasConflict, true);
  });

  it("are requested with a note, and sent back with a note", async () => {
    await save(lines.replace("two", "2"));
    const asked = await ask("  Please check the dates. ");
    assert.deepEqual(asked.review.note, "Please check the dates.");
    assert.deepEqual([asked.review.by.id, asked.review.sentBack], [author.id, null]);
    assert.deepEqual([await waiting("requested"), await waiting("sent-back")], [1, 0]);
    const back = await editor.json(200, "POST", `${url}/send-back`, { note: "The year is wrong." });
    assert.deepEqual(back.review.sentBack, {
      at: Date.parse("2026-05-01T00:00:00Z"),
      by: { id: editor.id, name: back.review.sentBack.by.name },
      note: "The year is wrong.",
    });
    assert.deepEqual([await waiting("requested"), await waiting("sent-back")], [0, 1]);
    assert.equal((await editor.send("POST", `${url}/send-back`, {})).status, 409);
    const again = await ask();
    assert.deepEqual([again.review.sentBack, again.review.note], [null, ""]);
    const seen = await events();
    for (const event of ["draft.review", "draft.sent_back"]) assert.ok(seen.includes(event), event);
  });

  it("can be sent back only by accounts with the right to publish the page", async () => {
    await save(lines.replace("two", "2"));
    assert.equal((await editor.send("POST", `${url}/send-back`, {})).status, 409);
    await ask();
    assert.equal((await author.send("POST", `${url}/send-back`, {})).status, 403);
    const shopkeeper = await site.as("shopkeeper");
    assert.equal((await shopkeeper.send("POST", `${url}/send-back`, {})).status, 403);
    assert.equal((await shopkeeper.send("GET", `${url}/changes`)).status, 403);
    assert.equal((await site.fetch(`${url}/changes`)).status, 401);
    assert.equal(
      (await editor.send("POST", `/admin/api/drafts/02.blog/x/post.md/send-back`, {})).status,
      404,
    );
    assert.equal((await editor.send("POST", `${url}/send-back`, { note: 7 })).status, 400);
  });

  it("notify by mail the accounts that may publish the page, and then the author", async () => {
    await site.as("shopkeeper");
    await save(lines.replace("two", "2"));
    await ask("See <b>two</b>");
    const request = await mailTo("editor-user@example.org", 1);
    assert.equal(request.subject, "author-user asks for a review: First");
    assert.match(request.text, /“See <b>two<\/b>”/);
    assert.match(request.text, /\/admin\/edit\/02\.blog\/01\.first\/post\.md\?review/);
    await editor.json(200, "POST", `${url}/send-back`, { note: "Why?" });
    const answer = await mailTo("author-user@example.org", 1);
    assert.equal(answer.subject, "Sent back: First");
    assert.match(answer.text, /“Why\?”/);
    await ask();
    await mailTo("editor-user@example.org", 2);
    await editor.json(200, "POST", `${url}/publish`, { note: "Thank you." });
    const approved = await mailTo("author-user@example.org", 2);
    assert.equal(approved.subject, "Published: First");
    assert.match(approved.text, /“Thank you\.”/);
    const others = site.mail.received.map(({ recipients }) => recipients.join());
    assert.ok(!others.includes("shopkeeper-user@example.org"));
    const seen = await events();
    assert.ok(seen.includes("draft.approve"));
    assert.ok(!seen.includes("draft.publish"));
  });

  it("end without an approval when the author publishes", async () => {
    const admin = await site.as("admin");
    const save = { content: lines.replace("two", "2"), review: true, note: "Mine" };
    const saved = await admin.json(201, "PUT", url, save);
    assert.equal(saved.review.note, "Mine");
    await admin.json(200, "POST", `${url}/publish`, {});
    assert.ok((await events()).includes("draft.publish"));
  });
});
