import assert from "node:assert/strict";
import { codeOf, filesOf } from "../support/repository.js";

/** Those that turn issues into words. */
const READERS = ["lib/schema/schema-mistakes.ts"];
const ISSUES = /\berror\??\.issues\b|\b(?:prettify|treeify|flatten|format)Error\(/;

describe("the issues of zod", () => {
  it("are read by schemaMistakes only, so that no message has zod's own words", () => {
    const files = filesOf("{kernel,lib,plugins,scripts}/**/*.{ts,tsx}");
    const readers = files.filter((file) => ISSUES.test(codeOf(file)));
    assert.deepEqual(
      readers.filter((file) => !READERS.includes(file)),
      [],
    );
  });
});
