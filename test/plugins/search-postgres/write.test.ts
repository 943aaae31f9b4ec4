import assert from "node:assert/strict";
import {
  removeRoutes,
  writeDocuments,
  type Client,
  documentRow,
} from "../../../plugins/search-postgres/write.js";
import { sampleDocument } from "../../../plugins/search/testing/engine-suite.js";
import { createSearchTools } from "../../../plugins/search/query/score.js";

const tools = createSearchTools({});
const documents = ["/a", "/b"].map((route) =>
  sampleDocument({ route, title: `T ${route}`, body: "'; drop table x; --" }),
);

function recording(stored: Record<string, unknown>[] = []) {
  const asked: [string, unknown[]][] = [];
  const client: Client = {
    query: async (text, values = []) => {
      asked.push([text, values]);
      return { rows: text.startsWith("select route, digest") ? stored : [] };
    },
  };
  return { client, asked };
}

describe("writing to PostgreSQL", () => {
  it("writes only documents that are not stored in the same form, and removes their old rows first", async () => {
    const [unchanged] = documents;
    assert.ok(unchanged);
    const { client, asked } = recording([
      { route: "/a", digest: documentRow(unchanged, tools).digest },
      { route: "/b", digest: "old" },
    ]);
    await writeDocuments(client, documents, { schema: "s", tools });
    assert.deepEqual(
      asked.map(([text]) => text.trim().split(" ")[0]),
      ["select", "delete", "insert", "with"],
    );
    assert.deepEqual(asked[1]?.[1], [["/b"]]);
    const rows: unknown = JSON.parse(String(asked[2]?.[1][0]));
    assert.ok(Array.isArray(rows) && rows.length === 1 && rows[0].route === "/b");
  });

  it("writes nothing without differences, and runs no query without documents", async () => {
    const same = recording(
      documents
        .map((document) => documentRow(document, tools))
        .map(({ route, digest }) => ({ route, digest })),
    );
    await writeDocuments(same.client, documents, { schema: "s", tools });
    assert.equal(same.asked.length, 1);
    const none = recording();
    await writeDocuments(none.client, [], { schema: "s", tools });
    await removeRoutes(none.client, "s", []);
    assert.deepEqual(none.asked, []);
  });

  it("only passes texts as parameters, without characters that PostgreSQL rejects", async () => {
    const { client, asked } = recording();
    await writeDocuments(client, documents, { schema: "s", tools });
    await removeRoutes(client, "s", ["/a\0", "'; drop table x"]);
    assert.ok(asked.every(([text]) => !text.includes("drop table")));
    assert.deepEqual(asked.at(-1)?.[1], [["/a", "'; drop table x"]]);
  });
});
