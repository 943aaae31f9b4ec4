import assert from "node:assert/strict";
import type { SiteSettings } from "#kernel";
import { toSitePublic } from "../../../../plugins/render/page/shared-props.js";

describe("toSitePublic", () => {
  it("excludes the author's address and all private configuration", () => {
    const site = {
      title: "T",
      description: "",
      url: "https://site.test",
      author: { name: "Ada", email: "ada@site.test" },
      metadata: {},
      taxonomies: ["tag"],
      health_token: "secret",
    } as unknown as SiteSettings;
    assert.deepEqual(Object.keys(toSitePublic(site)).sort(), [
      "author",
      "description",
      "metadata",
      "taxonomies",
      "title",
      "url",
    ]);
    assert.deepEqual(toSitePublic(site).author, { name: "Ada" });
  });
});
