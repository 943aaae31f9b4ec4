import assert from "node:assert/strict";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { startWorkers } from "../../../support/processes/site-workers.js";
import { until } from "../../../support/until.js";

const NUMBERS = "fields:\n  size: { type: number }\n  parts: { type: blocks }\n";
const TEXTS = "fields:\n  size: { type: text }\n";
const FILES = {
  "blueprints/thing.yaml": NUMBERS,
  "blueprints/blocks/note.yaml": "fields:\n  text: { type: text }\n  other: { type: code }\n",
  "content/things/a/thing.md":
    "---\nsize: 9\nparts: [{ type: note, text: Lighthouse, other: Harbour }]\n---\n# A\n",
  "content/things/b/thing.md": "---\nsize: 10\n---\n# B\n",
  "content/things/c/thing.md": "---\nsize: '8 m'\n---\n# C\n",
};
type Get = (path: string) => Promise<string>;
const ordered = async (get: Get): Promise<string> => {
  const { items } = JSON.parse(
    await get("/api/pages?template=thing&order=size,title&fields=title"),
  );
  return items.map(({ title }: { title: string }) => title).join("");
};
const found = async (get: Get, word: string): Promise<number> =>
  JSON.parse(await get(`/api/search?q=${word}`)).total;

describe("page types that change while the site runs", () => {
  let site: TestSite;
  const get: Get = async (path) => (await site.fetch(path)).text();
  const folder = useFolder();
  before(async () => {
    const plugins = ["content", "markdown", "pages", "search", "render", "cache"];
    const env = { SITE_ENV: "production" };
    site = await bootSite({ plugins, files: FILES, env });
  });
  after(() => site.close());

  it("change what a stored search index finds", async () => {
    const root = folder.path;
    for (const name of ["site.yaml", "blueprints", "content"])
      await cp(join(site.root, name), join(root, name), { recursive: true });
    for (const [text, count] of [
      [NUMBERS, 1],
      [TEXTS, 0],
      [NUMBERS, 1],
    ] as const) {
      await writeFile(join(root, "blueprints/thing.yaml"), text);
      const again = await bootSite({ plugins: ["content", "markdown", "search"], root });
      const total = await found(async (path) => (await again.fetch(path)).text(), "lighthouse");
      await again.close();
      assert.equal(total, count);
    }
  });

  it("change what queries compare, what search finds, and cached pages", async () => {
    assert.equal(await ordered(get), "ABC");
    await site.write("blueprints/thing.yaml", TEXTS);
    await until(async () => (await ordered(get)) === "BCA");
    await until(async () => (await found(get, "lighthouse")) === 0);
    await site.write("blueprints/thing.yaml", NUMBERS);
    await until(async () => (await ordered(get)) === "ABC");
    await until(async () => (await found(get, "lighthouse")) === 1);
    assert.equal(await found(get, "harbour"), 0);
    const note = "fields:\n  text: { type: code }\n  other: { type: text }\n";
    await site.write("blueprints/blocks/note.yaml", note);
    await until(async () => (await found(get, "harbour")) === 1);
    const { items } = JSON.parse(await get("/api/search?q=harbour"));
    assert.match(items[0].excerpt, /<mark>Harbour<\/mark>/);
    assert.equal(await found(get, "lighthouse"), 0);
  });

  it("change what every worker answers", async function () {
    this.timeout(120_000);
    const system = "server: { rate_limit: false }\n";
    const server = await startWorkers({ root: folder.path, system, files: FILES });
    try {
      const clients = (await server.clients()).map(
        ({ send }): Get =>
          async (path) =>
            (await send("GET", path)).text,
      );
      const all = async (isTrue: (client: Get) => Promise<boolean>) =>
        (await Promise.all(clients.map(isTrue))).every(Boolean);
      assert.equal(clients.length, 2);
      await until(() => all(async (one) => (await found(one, "lighthouse")) === 1));
      assert.ok(await all(async (one) => (await ordered(one)) === "ABC"));
      await writeFile(join(folder.path, "blueprints/thing.yaml"), TEXTS);
      await until(() => all(async (one) => (await ordered(one)) === "BCA"));
      await until(() => all(async (one) => (await found(one, "lighthouse")) === 0));
    } finally {
      await server.stop();
    }
  });
});
