import assert from "node:assert/strict";
import { bootSite } from "../../../support/sites/boot-site.js";

describe("the addresses of a site", () => {
  const addressesOf = async (system: string) => {
    const site = await bootSite({ plugins: ["content"], files: { "system.yaml": system } });
    const { addresses } = site.site.use("content");
    await site.close();
    return addresses;
  };

  it("have the prefix of their language, and of the default one if configured", async () => {
    const bare = await addressesOf("languages: { supported: [en, de] }\n");
    assert.deepEqual([bare.prefixOf("en"), bare.prefixOf("de")], ["", "/de"]);
    assert.deepEqual([bare.urlOf("/", "de"), bare.urlOf("/ü", "de")], ["/de", "/de/%C3%BC"]);
    assert.deepEqual([bare.urlOf("/", "en"), bare.urlOf("/a", "en")], ["/", "/a"]);
    const every = await addressesOf(
      "languages: { supported: [en, de], include_default_in_url: true }\n",
    );
    assert.deepEqual([every.prefixOf("en"), every.urlOf("/", "en")], ["/en", "/en"]);
    assert.deepEqual([every.rootOf("en"), every.rootOf("de")], ["", "/de"]);
  });

  it("have no prefix on a site with one language", async () => {
    const one = await addressesOf("languages: { supported: [en], include_default_in_url: true }\n");
    assert.deepEqual([one.prefixOf("en"), one.urlOf("/a", "en")], ["", "/a"]);
  });

  it("convert repository paths inside the content folder", async () => {
    const addresses = await addressesOf("content: { dir: site/docs }\n");
    assert.equal(addresses.belowContent("site/docs/01.a/post.md"), "01.a/post.md");
    for (const path of ["content/a.md", "site/docs", "site/docsy/a.md"]) {
      assert.equal(addresses.belowContent(path), null, path);
    }
  });
});
