import assert from "node:assert/strict";
import { until } from "../support/until.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

/** A page as source: the same text, changing front matter. */
const page = (title: string): string => `---\ntitle: ${title}\n---\n\nThe same text.\n`;

describe("a page whose front matter changes but whose text does not", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      env: { SITE_ENV: "production" },
      files: {
        "content/01.home/default.md": "---\ntitle: Home\n---\n",
        "content/02.boats/default.md": page("First"),
      },
    });
  });
  after(() => site.close());

  const titles = async (): Promise<unknown[]> => {
    const single = await (await site.fetch("/api/pages/boats")).json();
    const list = await (await site.fetch("/api/pages")).json();
    const html = await (await site.fetch("/boats")).text();
    const found = await (await site.fetch("/api/search?q=same")).json();
    return [
      titleOf(single),
      titlesIn(list).find((title) => title !== "Home"),
      /<title>([^<|]*?) \|/.exec(html)?.[1],
      titlesIn(found)[0],
    ];
  };

  it("is up to date everywhere, each time", async () => {
    assert.deepEqual(await titles(), Array(4).fill("First"));
    for (const title of ["Second", "Third", "First", "Fourth"]) {
      await site.site
        .use("content")
        .apply([{ op: "write", path: "02.boats/default.md", content: page(title) }]);
      await until(async () => (await titles())[3] === title);
      assert.deepEqual(await titles(), Array(4).fill(title));
    }
  });
});

function titleOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
}

function titlesIn(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || !("items" in value)) return [];
  return Array.isArray(value.items) ? value.items.map(titleOf) : [];
}
