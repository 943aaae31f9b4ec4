import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";

describe("providers of embeds in the wrong file", () => {
  it("are an error that names the key and the file where they belong", async () => {
    await assert.rejects(
      bootSite({
        files: { "site.yaml": "title: T\nmarkdown: { embeds: [youtube] }\n" },
      }),
      /move it to `content\.markdown\.embeds` of system\.yaml/,
    );
  });

  it("an unset variable in a token is an error", async () => {
    await assert.rejects(
      bootSite({ files: { "site.yaml": "title: T\nhealth_token: $NOT_SET_ANYWHERE\n" } }),
      /NOT_SET_ANYWHERE/,
    );
  });
});
