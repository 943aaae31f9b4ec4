/** The days of moments in a site whose zone is not UTC. */
import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const NIGHT = Date.parse("2026-03-03T23:30:00Z");
const record = (id: string): string =>
  `_id: ${id}\n_type: product\n_createdAt: ${NIGHT}\n_updatedAt: ${NIGHT}\nname: Lamp\n`;

describe("a site with timezone: Europe/Berlin", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "system.yaml": "timezone: Europe/Berlin\nsearch: { include_flex: [product] }\n",
        "site.yaml": "title: T\ntheme: { name: own }\n",
        "themes/own/theme.yaml": "name: own\n",
        "themes/own/templates/default.tsx": `import { formatDate } from "sitewright/theme";
export default ({ page, collection, lang }) => (
  <main>
    <i>{formatDate("2026-03-03", lang)}</i>
    <b>{formatDate("2026-03-03T23:30:00.000Z", lang)}</b>
    <u>{formatDate(${NIGHT}, lang)}</u>
    <s>{formatDate("2026-03-03 23:30", lang)}</s>
    <q>{(collection?.items ?? []).map((item) => item.date).join()}</q>
  </main>
);`,
        "content/index.md": '---\ntitle: H\ncollection: { items: { "@flex": product } }\n---\nx\n',
        "flex-objects/product.yaml": "title: Products\nfields: { name: { type: text } }\n",
        "flex-objects/product/lamp.yaml": record("lamp"),
      },
      plugins: ["content", "render", "markdown", "flex", "search", "search-lunr", "pages", "media"],
    });
  });
  after(() => site.close());

  it("formats a moment as the day in that zone, and a day as itself", async () => {
    const html = await (await site.fetch("/")).text();
    assert.match(html, /<i>March 3, 2026<\/i>/);
    for (const tag of ["b", "u"]) assert.match(html, new RegExp(`<${tag}>March 4, 2026<`));
    assert.match(html, /<s>March 3, 2026<\/s>/);
  });

  it("gives records the day in that zone, in collections, pages and search", async () => {
    assert.match(await (await site.fetch("/")).text(), /<q>2026-03-04<\/q>/);
    assert.match(await (await site.fetch("/flex/product/lamp")).text(), /datetime="2026-03-04"/i);
    const found = (await (await site.fetch("/api/search?q=lamp")).json()) as {
      items: { date: string }[];
    };
    assert.equal(found.items[0]?.date, "2026-03-04");
  });
});
