import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exportFolder, type ExportedFolder } from "../../../support/processes/export-folder.js";

const page = (title: string, more = ""): string => `---\ntitle: ${title}\n${more}---\n${title}.\n`;
const FILES = {
  "themes/bare/theme.yaml": "name: bare\n",
  "themes/bare/templates/default.tsx": "export default ({ page }) => <h1>{page.title}</h1>;\n",
  "content/01.home/default.md": page("Home"),
  "content/02.blog/default.md": page("Blog"),
  "content/02.blog/one/default.md": page(
    "One",
    "date: 2024-01-01\ntaxonomy: { tag: [a b, x/y] }\n",
  ),
  "content/02.blog/secret/default.md": page(
    "Secret",
    "date: 2024-01-02\nroles: [member]\ntaxonomy: { tag: [hidden] }\n",
  ),
  "content/03.docs/default.md": page("Docs"),
  "content/03.docs/two/default.md": page("Two", "taxonomy: { tag: [undated] }\n"),
  "content/04.inside/default.md": page("Inside", "roles: [member]\n"),
  "content/04.inside/three/default.md": page("Three", "date: 2024-01-03\nroles: [member]\n"),
};

describe("the feeds of an export without links to them", () => {
  let site: ExportedFolder | undefined;
  const open = async (feed: string, more = {}): Promise<ExportedFolder> => {
    const settings = `title: Test\nurl: https://example.org\ntheme: { name: bare }\n${feed}`;
    site = await exportFolder({ "site.yaml": settings, ...FILES, ...more });
    const { failures } = await site.export();
    assert.deepEqual(failures, []);
    return site;
  };
  afterEach(async () => site?.close());

  it("are those of the site, of sections with dated pages and of their taxonomy values", async () => {
    const { out, files, read } = await open("");
    for (const place of ["", "blog/", "taxonomy/tag/a b/"]) {
      for (const name of ["feed.xml", "atom.xml", "feed.json"]) {
        assert.ok(existsSync(join(out, place + name)), place + name);
        assert.match(await read(place + name), /One/);
        assert.doesNotMatch(await read(place + name), /Secret/);
      }
    }
    const feeds = files().filter((file) => /(?:feed\.xml|atom\.xml|feed\.json)$/.test(file));
    assert.equal(feeds.length, 9, feeds.join(", "));
  });

  it("exist in every language", async () => {
    const system = { "system.yaml": "languages: { supported: [en, de] }\n" };
    const { read } = await open("", {
      ...system,
      "content/02.blog/default.de.md": page("Tagebuch"),
      "content/02.blog/one/default.de.md": page(
        "Eins",
        "date: 2024-01-01\ntaxonomy: { tag: [tee] }\n",
      ),
    });
    for (const place of ["de/", "de/blog/", "de/taxonomy/tag/tee/"]) {
      assert.match(await read(`${place}feed.xml`), /Eins/, place);
      assert.doesNotMatch(await read(`${place}feed.xml`), /One/, place);
    }
  });

  it("do not exist when the site has disabled them", async () => {
    const { files } = await open("feed: { enabled: false }\n");
    assert.deepEqual(
      files().filter((file) => /(?:feed\.xml|atom\.xml|feed\.json)$/.test(file)),
      [],
    );
  });
});
