import assert from "node:assert/strict";
import { clusterNodes, type Nodes, type TestNode } from "../../support/servers/cluster-nodes.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

interface Page {
  items: { key: string; op: string }[];
  cursor: string;
}

describe("GET /api/changes in a cluster", () => {
  let nodes: Nodes;
  let a: TestNode;
  let b: TestNode;
  const boot = async (store: string): Promise<void> => {
    const plugins = ["cluster", "postgres", "content", "flex", "markdown", "pages", "cache"];
    const options = { plugins, settings: { system: { records: { store } } } };
    a = await nodes.boot("a", withCluster("a", options));
    b = await nodes.boot("b", withCluster("b", options));
  };
  const withCluster = (node: string, options: { settings: { system: object } }) => ({
    ...options,
    settings: {
      system: {
        ...options.settings.system,
        cluster: { enabled: true, node },
        search: {},
      },
    },
  });
  beforeEach(async function () {
    nodes = await clusterNodes((await usePostgres(this)).url);
    await nodes.write("content/01.home/default.md", "---\ntitle: Home\n---\n");
  });
  afterEach(() => nodes.close());

  const read = async (node: TestNode, query = ""): Promise<Page> => {
    const response = await node.fetch(`/api/changes${query}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Page;
  };
  const save = (node: TestNode, path: string) =>
    node.site.use("content").apply([{ op: "write", path, content: `---\ntitle: T\n---\n` }]);
  const keys = ({ items }: Page): string[] => items.map(({ key }) => key);

  it("continues a cursor of one node on the other, without gap or repetition", async () => {
    await boot("postgres");
    const { cursor } = await read(a);
    const seen: string[] = [];
    const expected: string[] = [];
    let at = cursor;
    for (let n = 0; n < 8; n += 1) {
      await save(n % 2 === 0 ? a : b, `p${n}/default.md`);
      expected.push(`p${n}/default.md`);
      const page = await read(n % 3 === 0 ? a : b, `?since=${at}`);
      seen.push(...keys(page));
      at = page.cursor;
    }
    assert.deepEqual(seen, expected);
    assert.deepEqual(keys(await read(a, `?since=${cursor}`)), expected);
    assert.deepEqual(await read(b, `?since=${cursor}`), await read(a, `?since=${cursor}`));
    const waiting = read(b, `?since=${at}&wait=30`);
    await save(a, "late/default.md");
    assert.deepEqual(keys(await waiting), ["late/default.md"]);
  });

  it("with records in files, lists the changes of all nodes, and rejects their cursors", async () => {
    await boot("files");
    const [first, second] = [await read(a), await read(b)];
    await save(a, "p1/default.md");
    await until(async () => keys(await read(b, `?since=${second.cursor}`)).length === 1);
    assert.deepEqual(keys(await read(a, `?since=${first.cursor}`)), ["p1/default.md"]);
    assert.equal((await b.fetch(`/api/changes?since=${first.cursor}`)).status, 410);
  });
});
