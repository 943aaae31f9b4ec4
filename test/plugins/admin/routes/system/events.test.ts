import assert from "node:assert/strict";
import {
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";

const EVENTS = "/admin/api/events";
const first = "02.blog/01.first/post.md";
interface Message {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

describe("events of the admin API", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let author: AdminClient;
  let opened: AbortController[] = [];
  beforeEach(async () => {
    site = await bootAdmin();
    editor = await site.as("editor");
    author = await site.as("author");
  });
  afterEach(async () => {
    for (const one of opened) one.abort();
    opened = [];
    await site.close();
  });

  /** The messages of a stream; the list grows. */
  async function listen(who: AdminClient, lastId?: string, query = ""): Promise<Message[]> {
    const controller = new AbortController();
    opened.push(controller);
    const answer = await fetch(`${site.url}${EVENTS}${query}`, {
      headers: { cookie: who.cookie, ...(lastId !== undefined && { "last-event-id": lastId }) },
      signal: controller.signal,
    });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    const messages: Message[] = [];
    void collect(answer, messages).catch(() => undefined);
    await until(() => messages.some(({ event }) => event === "ready"));
    return messages;
  }
  const named = (messages: Message[], name: string) =>
    messages.filter(({ event }) => event === name).map(({ data }) => data);

  it("notify every client of saved, published and deleted pages, with the account", async () => {
    const messages = await listen(author);
    const put = (frontmatter: object, path = first) =>
      editor.json(200, "PUT", `/admin/api/pages/${path}`, { frontmatter });
    const { hash } = await put({ title: "Changed" });
    await put({ status: "published" }, "02.blog/02.second/post.md");
    await editor.json(200, "DELETE", `/admin/api/pages/${first}`);
    await until(() => named(messages, "deleted").length === 1);
    const [saved] = named(messages, "saved");
    assert.deepEqual(
      [saved?.["path"], saved?.["title"], saved?.["etag"]],
      [first, "Changed", hash],
    );
    assert.match(JSON.stringify(saved?.["by"]), new RegExp(`"id":"${editor.id}"`));
    assert.equal(named(messages, "published")[0]?.["path"], "02.blog/02.second/post.md");
    assert.equal(named(messages, "deleted")[0]?.["path"], first);
  });

  it("resume after Last-Event-ID, or say that the past is gone", async () => {
    const messages = await listen(author);
    const put = (title: string) =>
      editor.json(200, "PUT", `/admin/api/pages/${first}`, { frontmatter: { title } });
    await put("One");
    await until(() => named(messages, "saved").length === 1);
    const id = messages.find(({ event }) => event === "saved")?.id;
    await put("Two");
    await put("Three");
    const missed = await listen(author, id);
    await until(() => named(missed, "saved").length === 2);
    assert.deepEqual(
      named(missed, "saved").map(({ title }) => title),
      ["Two", "Three"],
    );
    const asked = await listen(author, undefined, `?since=${id}`);
    await until(() => named(asked, "saved").length === 2);
    const all = await listen(author, undefined, "?since=");
    await until(() => named(all, "saved").length === 3);
    const strange = await listen(author, "__proto__");
    await until(() => strange.length >= 2);
    assert.equal(strange[1]?.event, "reset");
  });

  it("name the people with a page open", async () => {
    const messages = await listen(author);
    const present = (who: AdminClient, path: string | null) =>
      who.json(200, "POST", `${EVENTS}/presence`, { path });
    assert.deepEqual(await present(editor, first), { people: [] });
    const { people } = await present(author, `content/${first}`);
    assert.deepEqual(
      people.map(({ id }: { id: string }) => id),
      [editor.id],
    );
    await present(editor, null);
    assert.deepEqual(await present(author, first), { people: [] });
    await until(() => named(messages, "presence").length === 3);
    const counts = named(messages, "presence").map(({ people: all }) => (all as []).length);
    assert.deepEqual(counts, [1, 2, 1]);
    assert.equal((await author.send("POST", `${EVENTS}/presence`, { path: 5 })).status, 400);
  });

  it("are limited per account, and need rights", async () => {
    for (let count = 0; count < 6; count += 1) await listen(author);
    const answer = await author.send("GET", EVENTS);
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get("retry-after"), "10");
    await listen(editor);
    opened[0]?.abort();
    await until(async () => {
      const next = new AbortController();
      const { status } = await fetch(`${site.url}${EVENTS}`, {
        headers: { cookie: author.cookie },
        signal: next.signal,
      });
      next.abort();
      return status === 200;
    });
    assert.equal((await site.fetch(EVENTS)).status, 401);
  });
});

async function collect(answer: Response, messages: Message[]): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
      const event = field("event");
      if (event === undefined) continue;
      messages.push({ id: field("id"), event, data: JSON.parse(field("data") ?? "{}") });
    }
  }
}
