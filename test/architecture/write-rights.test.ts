import assert from "node:assert/strict";
import { codeOf, filesOf } from "../support/repository.js";

describe("routes that change pages and records", () => {
  const routes = filesOf("plugins/**/routes/**/*.ts", "plugins/**/routes.ts");

  it("pass the rights of their author to the write path", () => {
    const writing = routes.filter((file) => /\b(?:content|flex)\b.*\.apply\(/.test(codeOf(file)));
    assert.ok(writing.length >= 5);
    assert.deepEqual(
      writing.filter((file) => !/\b(?:rights|rightsOf|writeOptions)\b/.test(codeOf(file))),
      [],
      "pass { rights: admin.rightsOf(identity) }",
    );
  });

  it("leave the decision about code and publishing to it", () => {
    assert.deepEqual(
      routes.filter((file) => /\bisCode\(|\bmayPublish\b/.test(codeOf(file))),
      [],
      "a route knows only the name in its request; content.apply decides",
    );
  });
});
