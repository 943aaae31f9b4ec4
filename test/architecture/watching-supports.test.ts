import assert from "node:assert/strict";
import { codeOf, filesOf } from "../support/repository.js";

/**
 * Supports that change what the product uses, with the reason. An entry is a debt: a support watches from outside
 * or uses a public option.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "test/support/before-all.ts": "assert.ok of the tests, faster; no part of the product",
  "test/support/hostile/failing-disk.ts":
    "injects errors of the disk into node:fs; the product has no option for a failing disk",
  "test/support/hostile/failing-reads.ts":
    "injects errors of reading into node:fs; the product has no option for a failing disk",
  "test/support/remember-passwords.ts":
    "replaces Argon2 for the passwords of tests: each hash takes 50 ms of CPU",
};

const TARGETS = String.raw`(?:req|res|request|response|fs|promises|Date|globalThis|global|timers|\w+\.prototype|argon2|assert|\w*[fF]s)`;
const CHANGES: readonly RegExp[] = [
  new RegExp(String.raw`\b${TARGETS}\.\w+\s*=(?![=>])`),
  new RegExp(
    String.raw`\b(?:Object|Reflect)\.(?:assign|defineProperty|defineProperties|setPrototypeOf)\(\s*${TARGETS}\b`,
  ),
  /\bsyncBuiltinESMExports\(/,
  /\bmock\.(?:timers|method|getter|setter)\b/,
];

/** True when code assigns to, or defines properties on, requests, responses, `node:fs`, dates or timers. */
function changesTheProduct(code: string): boolean {
  return CHANGES.some((pattern) => pattern.test(code));
}

describe("the supports of tests", () => {
  const files = filesOf("test/support/**/*.{ts,mjs}", "{kernel,plugins}/**/testing/**/*.ts");

  it("change neither requests, responses, node:fs, dates nor timers of the product", () => {
    assert.deepEqual(
      files.filter((file) => changesTheProduct(codeOf(file)) && !(file in EXCEPTIONS)),
      [],
      "watch from outside (a proxy in front, undici's diagnostics) or use a public option such as clock",
    );
  });

  it("are excepted only while they do", () => {
    const unneeded = Object.keys(EXCEPTIONS).filter((file) => !changesTheProduct(codeOf(file)));
    assert.deepEqual(unneeded, []);
  });

  for (const code of [
    "res.writeHead = wrapped;",
    "Object.defineProperty(res, name, {});",
    "Object.assign(fs, broken);",
    "Date.now = () => 0;",
    "globalThis.setTimeout = never;",
    "ServerResponse.prototype.end = wrapped;",
    "mock.timers.enable();",
  ]) {
    it(`are found by their code: ${code}`, () => assert.ok(changesTheProduct(code)));
  }

  it("may read and compare", () => {
    assert.ok(
      !changesTheProduct(
        "if (res.statusCode === 200) return fs.readFile; const f = (res) => res.end;",
      ),
    );
  });
});
