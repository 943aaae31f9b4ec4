import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("pages without the value that a list is sorted by", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      plugins: ["content", "markdown", "pages"],
      files: {
        "content/a.md": "---\ntitle: A\ndate: 2024-02-01\norder: 2\n---\n",
        "content/b.md": "---\ntitle: B\n---\n",
        "content/c.md": "---\ntitle: C\ndate: 2023-01-01\norder: 1\n---\n",
        "content/04.d.md": "---\ntitle: D\nvisible: true\n---\n",
        "content/e.md": "---\ntitle: E\nvisible: true\n---\n",
      },
    });
  });
  after(async () => site.close());

  const titles = async (order: string): Promise<string[]> => {
    const answer = await site.fetch(`/api/pages?order=${order}`);
    const { items } = (await answer.json()) as { items: { title: string }[] };
    return items.map(({ title }) => title);
  };

  for (const [order, expected] of [
    ["date:asc", "C A D B E"],
    ["date:desc", "A C D B E"],
    ["order:asc", "C A D B E"],
    ["order:desc", "D A C B E"],
  ] as const) {
    it(`come last with order=${order}`, async () => {
      assert.equal((await titles(order)).join(" "), expected);
    });

    it(`come last with order=${order} by cursor`, async () => {
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const answer = await site.fetch(`/api/pages?order=${order}&limit=2&cursor=${cursor}`);
        const { items, meta } = (await answer.json()) as {
          items: { title: string }[];
          meta: { nextCursor: string | null };
        };
        seen.push(...items.map(({ title }) => title));
        cursor = meta.nextCursor;
      }
      assert.equal(seen.join(" "), expected);
    });
  }

  it("have no order in the navigation, and stand last", async () => {
    const { items } = (await (await site.fetch("/api/nav")).json()) as {
      items: { title: string; order: number | null }[];
    };
    assert.deepEqual(
      items.map(({ title, order }) => `${title} ${order}`),
      ["D 4", "E null"],
    );
  });
});
