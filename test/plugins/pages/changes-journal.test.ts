import assert from "node:assert/strict";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";

interface Page {
  items: { op: string; kind: string; key: string; url: string }[];
  cursor: string;
  more: boolean;
}

describe("GET /api/changes after a restart", () => {
  const folder = useFolder();
  let site: TestSite;
  const boot = async (settings: object = {}): Promise<void> => {
    site = await bootSite({ root: folder.path, settings: { system: { ...settings } } });
  };
  const restart = async (settings: object = {}): Promise<void> => {
    await site.close();
    await boot(settings);
  };
  beforeEach(async () => {
    await atomicWrite(join(folder.path, "site.yaml"), "title: Test\n");
    await atomicWrite(join(folder.path, "content/01.home/default.md"), "# Home\n");
    await boot();
  });
  afterEach(() => site.close());

  const journalFile = async (): Promise<string> => {
    const { runtime } = site.site.context("test").paths;
    const names = await readdir(join(runtime, "changes"));
    return join(runtime, "changes", names.toSorted().at(-1) ?? "");
  };
  const read = async (query = ""): Promise<Page> => {
    const response = await site.fetch(`/api/changes${query}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Page;
  };
  const statusOf = async (cursor: string): Promise<number> =>
    (await site.fetch(`/api/changes?since=${encodeURIComponent(cursor)}`)).status;
  const rows = ({ items }: Page): string[] =>
    items.map(({ kind, key, op, url }) => [op, kind, key, url].join(" "));
  const save = (path: string, content: string) =>
    site.site.use("content").apply([{ op: "write", path, content }]);
  const text = (title: string, more = ""): string => `---\ntitle: ${title}\n${more}---\n`;

  it("continues from a cursor, as the visitor may see it", async () => {
    const { cursor } = await read();
    await save("02.a/default.md", text("A"));
    await save("03.draft/default.md", text("Draft", "published: false\n"));
    const { cursor: middle } = await read(`?since=${cursor}`);
    await save("02.a/default.md", text("A", "roles: any\n"));
    await save("03.draft/default.md", text("Out"));
    const expected = [
      "create page 02.a/default.md /a",
      "delete page 02.a/default.md /a",
      "create page 03.draft/default.md /draft",
    ];
    assert.deepEqual(rows(await read(`?since=${cursor}`)), expected);
    await restart();
    assert.deepEqual(rows(await read(`?since=${cursor}`)), expected);
    assert.deepEqual(rows(await read(`?since=${middle}`)), expected.slice(1));
    await save("04.b/default.md", text("B"));
    const page = await read(`?since=${middle}`);
    assert.deepEqual(rows(page).slice(2), ["create page 04.b/default.md /b"]);
    assert.deepEqual(await read(`?since=${page.cursor}`), {
      items: [],
      cursor: page.cursor,
      more: false,
    });
  });

  it("lists what changed on the disk while the site was down", async () => {
    await save("02.a/default.md", text("A"));
    const { cursor } = await read();
    await site.close();
    await site.write("content/02.a/default.md", text("A2"));
    await site.write("content/03.b/default.md", text("B"));
    await boot();
    let page = await read(`?since=${cursor}&wait=10`);
    if (page.items.length < 2) page = await read(`?since=${cursor}&wait=5`);
    assert.deepEqual(rows(page).toSorted(), [
      "create page 03.b/default.md /b",
      "update page 02.a/default.md /a",
    ]);
  });

  it("responds with 410 once a change after the cursor is deleted", async () => {
    await restart({ changes: { max_entries: 10 } });
    const { cursor } = await read();
    for (let n = 0; n < 14; n += 1) await save("02.a/default.md", text(`A${n}`));
    assert.equal(await statusOf(cursor), 410);
    const { cursor: newest } = await read();
    assert.equal(await statusOf(newest), 200);
  });

  it("drops a truncated last entry", async () => {
    const { cursor } = await read();
    await save("02.a/default.md", text("A"));
    const file = await journalFile();
    await site.close();
    await appendFile(file, '{"at":1,"value":{"stamp":"01');
    await boot();
    await save("03.b/default.md", text("B"));
    assert.deepEqual(rows(await read(`?since=${cursor}`)), [
      "create page 02.a/default.md /a",
      "create page 03.b/default.md /b",
    ]);
  });

  it("responds with 410 from the entry on that is damaged", async () => {
    const { cursor } = await read();
    await save("02.a/default.md", text("A"));
    const file = await journalFile();
    await site.close();
    await appendFile(file, "{}\n");
    await boot();
    await save("03.b/default.md", text("B"));
    const page = await read(`?since=${cursor}`);
    assert.deepEqual([rows(page), page.more], [["create page 02.a/default.md /a"], true]);
    assert.equal(await statusOf(page.cursor), 410);
    assert.equal(await statusOf((await read()).cursor), 200);
  });

  it("responds with 410 to every cursor that it has not sent", async () => {
    await save("02.a/default.md", text("A"));
    for (const cursor of [
      "1",
      "1-00000000",
      "0-00000000",
      "-1-00000000",
      "999999999999999-00000000",
      "9".repeat(60),
      "1-0000000g",
      "../../etc/passwd",
      "1;drop table site_logs",
      "\0",
      "start-1",
      "",
    ])
      assert.equal(await statusOf(cursor), 410, JSON.stringify(cursor));
  });

  it("stores no contents", async () => {
    await save("02.a/default.md", text("A", "secret: hunter2\n") + "The body.\n");
    const file = await journalFile();
    const stored = await readFile(file, "utf8");
    assert.match(stored, /02\.a\/default\.md/);
    assert.doesNotMatch(stored, /hunter2|The body/);
  });
});
