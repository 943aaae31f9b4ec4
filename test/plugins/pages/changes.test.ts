import assert from "node:assert/strict";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";
import { rightsWithout } from "../../support/content/write-rights.js";

interface Item {
  kind: string;
  key: string;
  op: string;
  url: string;
}
interface Page {
  items: Item[];
  cursor: string;
  more: boolean;
}

describe("GET /api/changes", () => {
  let site: TestSite;
  const time = { now: Date.parse("2027-01-01T00:00:00Z") };
  before(async () => {
    site = await bootSite({
      clock: { now: () => time.now },
      files: {
        "content/01.home/default.md": "# Home\n",
        "content/02.tea/default.md": "# Tea\n",
        "content/03.secret/default.md": "---\ntitle: Secret\nroles: any\n---\n",
        "flex-objects/cup.yaml": "title: Cups\nfields: { name: { type: text } }\n",
      },
    });
  });
  after(() => site.close());

  const read = async (query = ""): Promise<Page> => {
    const response = await site.fetch(`/api/changes${query}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    return (await response.json()) as Page;
  };
  const apply = (...changes: Parameters<ReturnType<typeof content>["apply"]>[0][number][]) =>
    content().apply(changes);
  const content = () => site.site.use("content");
  const rows = ({ items }: Page): string[] =>
    items.map(({ kind, key, op, url }) => [op, kind, key, url].join(" "));

  it("responds with the newest cursor and no items without `since`", async () => {
    const { items, cursor, more } = await read();
    assert.deepEqual({ items, more }, { items: [], more: false });
    assert.notEqual(cursor, "");
    assert.deepEqual(await read(`?since=${cursor}`), { items: [], cursor, more: false });
  });

  it("lists pages that were created, changed and deleted since, each once", async () => {
    const { cursor } = await read();
    await apply({ op: "write", path: "04.new/default.md", content: "# New\n" });
    await apply({ op: "write", path: "02.tea/default.md", content: "# Green tea\n" });
    await apply({ op: "delete", path: "04.new/default.md" });
    const page = await read(`?since=${cursor}`);
    assert.deepEqual(rows(page), [
      "create page 04.new/default.md /new",
      "update page 02.tea/default.md /tea",
      "delete page 04.new/default.md /new",
    ]);
    assert.deepEqual((await read(`?since=${page.cursor}`)).items, []);
  });

  it("shows what appears for a visitor as created, and what disappears as deleted", async () => {
    const { cursor } = await read();
    const write = (path: string, text: string) => apply({ op: "write", path, content: text });
    await write("05.draft/default.md", "---\ntitle: D\npublished: false\n---\n");
    await write("05.draft/default.md", "---\ntitle: D2\npublished: false\n---\n");
    await write("03.secret/default.md", "---\ntitle: Secrets\nroles: any\n---\n");
    assert.deepEqual(rows(await read(`?since=${cursor}`)), []);
    await write("05.draft/default.md", "---\ntitle: D3\n---\n");
    await write("02.tea/default.md", "---\ntitle: Tea\nroles: any\n---\n");
    assert.deepEqual(rows(await read(`?since=${cursor}`)), [
      "create page 05.draft/default.md /draft",
      "delete page 02.tea/default.md /tea",
    ]);
  });

  it("does not reveal a page before its time", async () => {
    const { cursor } = await read();
    const text = (title: string) =>
      `---\ntitle: ${title}\npublish_date: 2027-02-01\nunpublish_date: 2027-03-01\n---\n`;
    await apply({ op: "write", path: "06.spring/default.md", content: text("One") });
    await apply({ op: "write", path: "06.spring/default.md", content: text("Two") });
    assert.deepEqual(rows(await read(`?since=${cursor}`)), []);
    time.now = Date.parse("2027-03-02T00:00:00Z");
    await apply({ op: "write", path: "06.spring/default.md", content: text("Three") });
    assert.deepEqual(rows(await read(`?since=${cursor}`)).slice(-1), [
      "delete page 06.spring/default.md /spring",
    ]);
    time.now = Date.parse("2027-01-01T00:00:00Z");
  });

  it("lists published records only", async () => {
    const { cursor } = await read();
    const flex = site.site.use("flex");
    const data = { name: "Blue" };
    await flex.apply([{ op: "create", type: "cup", id: "aa", data }], {
      rights: rightsWithout("publish"),
    });
    await flex.apply([{ op: "create", type: "cup", id: "bb", data }]);
    await flex.apply([{ op: "delete", type: "cup", id: "aa" }]);
    await flex.apply([{ op: "delete", type: "cup", id: "bb" }]);
    assert.deepEqual(rows(await read(`?since=${cursor}`)), [
      "create record cup/bb /api/flex/cup/bb",
      "delete record cup/bb /api/flex/cup/bb",
    ]);
  });

  it("waits for a change with `wait`, also one on the disk", async () => {
    const { cursor } = await read();
    const coming = read(`?since=${cursor}&wait=30`);
    await mkdir(join(site.root, "content/07.late"));
    await site.write("content/07.late/default.md", "# Late\n");
    assert.deepEqual(rows(await coming), ["create page 07.late/default.md /late"]);
  });

  it("responds without items when nothing happens", async () => {
    const { cursor } = await read();
    assert.deepEqual((await read(`?since=${cursor}&wait=1`)).items, []);
  });

  it("responds with 410 to a cursor that is not stored", async () => {
    const response = await site.fetch("/api/changes?since=01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert.equal(response.status, 410);
    assert.match(
      ((await response.json()) as { error: string }).error,
      /01ARZ3NDEKTSV4RRFFQ69G5FAV/,
    );
  });

  for (const query of [
    "?wait=-1",
    "?wait=61",
    "?wait=x",
    `?since=${"x".repeat(101)}`,
    "?since=a&since=b",
  ]) {
    it(`responds with 400 to ${query.slice(0, 20)}`, async () => {
      assert.equal((await site.fetch(`/api/changes${query}`)).status, 400);
    });
  }

  it("streams changes as server-sent events, and resumes after Last-Event-ID", async () => {
    const first = await openStream(site);
    await first.has("event: ready");
    await apply({ op: "write", path: "08.a/default.md", content: "# A\n" });
    await first.has('"key":"08.a/default.md"');
    const id = /id: (\S+)\nevent: change/.exec(first.text())?.[1] ?? "";
    await first.close();
    await apply({ op: "write", path: "09.b/default.md", content: "# B\n" });
    const second = await openStream(site, { "last-event-id": id });
    await second.has('"key":"09.b/default.md"');
    assert.doesNotMatch(second.text(), /08\.a/);
    await second.close();
  });

  it("ends streams and waiting requests when the site closes", async () => {
    const stream = await openStream(site);
    await stream.has("event: ready");
    const own = await bootSite({ files: { "content/a.md": "# A\n" } });
    const { cursor } = (await (await own.fetch("/api/changes")).json()) as Page;
    const waiting = fetch(`${own.url}/api/changes?since=${cursor}&wait=60`).catch(() => null);
    await own.close();
    await waiting;
    await rm(own.root, { recursive: true, force: true });
    await stream.close();
  });
});

async function openStream(site: TestSite, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${site.url}/api/changes`, {
    headers: { accept: "text/event-stream", ...headers },
    signal: abort.signal,
  });
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  const seen = { text: "" };
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) seen.text += decoder.decode(chunk);
  })().catch(() => undefined);
  return {
    text: () => seen.text,
    has: (text: string) => until(() => seen.text.includes(text)),
    close: async () => {
      abort.abort();
      await reading;
    },
  };
}
