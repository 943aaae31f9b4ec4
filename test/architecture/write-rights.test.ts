import assert from "node:assert/strict";
import { codeOf, filesOf } from "../support/repository.js";

describe("routes that change pages and records", () => {
  const routes = filesOf("plugins/**/routes/**/*.ts", "plugins/**/routes.ts");

  it("pass the rights of their author to the write path", () => {
    const callsOf = (file: string): number =>
      [...codeOf(file).matchAll(/\b(?:content|flex)\b.*\.apply\(/g)].length;
    const writing = routes.filter((file) => callsOf(file) > 0);
    assert.ok(writing.map(callsOf).reduce((sum, calls) => sum + calls, 0) >= 5);
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
