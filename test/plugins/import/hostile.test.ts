import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";
import { wxr, wxrItem } from "../../support/content/wxr.js";

describe("site import of hostile sources", () => {
  let site: TestSite;
  before(async () => {
    site = await bootEmpty();
  });
  after(() => site.close());

  const refused = async (from: string, bytes: string | Buffer): Promise<string> => {
    await site.write("source", bytes);
    const { code, errors } = await runImport(site, [from, "source"], { media: false });
    assert.equal(code, 1);
    assert.deepEqual(await readdir(join(site.root, "content")), [".keep"]);
    return errors.join("\n");
  };

  for (const [what, source, message] of [
    ["truncated XML", wxr(wxrItem({ id: 1 })).slice(0, -30), /^✗ source:\d+: .*unclosed tag/],
    ["a wrong end tag", wxr("<item><title>x</item>"), /^✗ source:7: /],
    ["HTML", "<!DOCTYPE html><html><body></body></html>", /^✗ source:1: .*first element is "html"/],
    ["an empty file", "", /^✗ source:\d+: /],
    [
      "entity declarations",
      `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><rss>&c;</rss>`,
      /entity declarations/,
    ],
    [
      "deep elements",
      wxr(`<item>${"<a>".repeat(100)}${"</a>".repeat(100)}</item>`),
      /nested more than 64/,
    ],
    [
      "bytes of another encoding",
      Buffer.from([0x3c, 0x72, 0x73, 0x73, 0x3e, 0xff, 0xfe, 0xe9]),
      /not utf-8/,
    ],
    [
      "an unknown encoding",
      `<?xml version="1.0" encoding="klingon"?><rss/>`,
      /unknown encoding "klingon"/,
    ],
  ] as const) {
    it(`exits with 1 for ${what}, names file and line, and writes nothing`, async () => {
      assert.match(await refused("wordpress", source), message);
    });
  }

  it("exits with 1 for a missing file", async () => {
    const { code, errors } = await runImport(site, ["wordpress", "none.xml"]);
    assert.deepEqual(
      [code, errors],
      [
        1,
        [
          "✗ none.xml: there is no such file ERR_IMPORT_SOURCE",
          "  fix: correct the path of the source",
          "  more: site errors:explain ERR_IMPORT_SOURCE",
        ],
      ],
    );
  });

  it("exits with 2 for an unknown source, with the nearest name", async () => {
    const { code, errors } = await runImport(site, ["wordpres", "x"]);
    assert.equal(code, 2);
    assert.match(errors[0] ?? "", /did you mean "wordpress"/);
  });

  it("exits with 1 for JSON that is no export of Ghost", async () => {
    assert.match(await refused("ghost", '{\n"db": [\n}'), /^✗ source:3: invalid JSON/);
    assert.match(await refused("ghost", "{}"), /no export of Ghost/);
  });

  it("reads an export in ISO 8859-1", async () => {
    const text = wxr(wxrItem({ id: 1, content: "<p>Größe</p>" })).replace("UTF-8", "ISO-8859-1");
    await site.write("latin.xml", Buffer.from(text, "latin1"));
    await runImport(site, ["wordpress", "latin.xml"], { media: false });
    assert.match(await contentOf(site, "90.blog/post-1/post.md"), /Größe/);
  });

  it("keeps names inside the content folder", async () => {
    const item = wxrItem({ id: 2 }).replace(
      /<wp:post_name>.*?<\/wp:post_name>/,
      "<wp:post_name>../../%2e%2e/etc</wp:post_name>",
    );
    await site.write("names.xml", wxr(item));
    const { code } = await runImport(site, ["wordpress", "names.xml"], { media: false });
    assert.equal(code, 0);
    assert.match(await contentOf(site, "90.blog/etc/post.md"), /title: Post 2/);
  });

  it("imports HTML nested without end as text", async () => {
    await site.write("deep.xml", wxr(wxrItem({ id: 3, content: `${"<div>".repeat(20_000)}deep` })));
    const { code } = await runImport(site, ["wordpress", "deep.xml"], { media: false });
    assert.equal(code, 0);
    assert.match(await contentOf(site, "90.blog/post-3/post.md"), /deep/);
  });
});
