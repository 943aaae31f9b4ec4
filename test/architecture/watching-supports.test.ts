import assert from "node:assert/strict";
import { codeIn, filesOf, textOf } from "../support/repository.js";

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
  "test/support/processes/steps/kill-at-call.mjs":
    "ends a worker or a node at a call of node:fs; a kill from outside cannot choose the call",
  "test/support/processes/steps/killed-step.ts":
    "ends its process at a call of node:fs; a kill from outside cannot choose the call",
  "test/support/processes/steps/snapshots.ts":
    "copies a root before a call of node:fs; a kill from outside cannot choose the call",
  "test/support/remember-passwords.ts":
    "replaces Argon2 for the passwords of tests: each hash takes 50 ms of CPU",
};

const TARGETS = [
  "req",
  "res",
  "request",
  "response",
  "fs",
  "promises",
  "Date",
  "globalThis",
  "global",
  "timers",
  String.raw`\w+\.prototype`,
  "argon2",
  "assert",
  String.raw`\w*[fF]s`,
];
const OF_NODE = "(?:fs|http|https|http2|timers|crypto|net)(?:/promises)?";
/** Names of modules that the product uses too, and of what is typed as a request or response. */
const NAMES: readonly RegExp[] = [
  new RegExp(String.raw`^import (?:\* as )?(\w+)[^;]* from "(?:node:)?${OF_NODE}"`, "gm"),
  /\b(\w+)\??: (?:\w+\.)?(?:IncomingMessage|ServerResponse|Request|Response)\b/g,
];

/**
 * True when code assigns to, or defines or deletes properties on, requests, responses, `node:fs`, dates or timers,
 * by whatever name the file has for them.
 */
function changesTheProduct(text: string): boolean {
  const own = NAMES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name));
  const target = String.raw`(?:\w+\.)*(?:${[...TARGETS, ...own].join("|")})`;
  const member = String.raw`\b${target}(?:\.\w+|\[[^\]\n]*\])`;
  const changes = [
    new RegExp(String.raw`${member}\s*(?:=(?![=>])|\?\?=|\|\|=|&&=)`),
    new RegExp(String.raw`\bdelete ${member}`),
    new RegExp(
      String.raw`\b(?:Object|Reflect)\.(?:assign|defineProperty|defineProperties|setPrototypeOf|set|deleteProperty)\(\s*${target}\b`,
    ),
    new RegExp(String.raw`\b${target}\.__define[GS]etter__\(`),
    /\bsyncBuiltinESMExports\(/,
    /\bmock\.(?:timers|method|getter|setter)\b/,
  ];
  const code = codeIn(text);
  return changes.some((pattern) => pattern.test(code));
}

describe("the supports of tests", () => {
  const files = filesOf(
    "test/support/**/*.{ts,tsx,js,mjs,cjs}",
    "{kernel,plugins}/**/testing/**/*.ts",
  );

  it("change neither requests, responses, node:fs, dates nor timers of the product", () => {
    assert.deepEqual(
      files.filter((file) => changesTheProduct(textOf(file)) && !(file in EXCEPTIONS)),
      [],
      "watch from outside (a proxy in front, undici's diagnostics) or use a public option such as clock",
    );
  });

  it("are excepted only while they do", () => {
    const unneeded = Object.keys(EXCEPTIONS).filter((file) => !changesTheProduct(textOf(file)));
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
    "Reflect.set(res, name, wrapped);",
    "Object.setPrototypeOf(req, own);",
    "res[name] = wrapped;",
    "site.context.res.end ??= wrapped;",
    "delete res.writeHead;",
    "Object.defineProperty(http.ServerResponse.prototype, name, {});",
    "res.__proto__ = own;",
    "const step = (outgoing: ServerResponse) => { outgoing.end = wrapped; };",
    'import * as disk from "node:fs";\ndisk.readFile = broken;',
    'import clock from "node:timers/promises";\nObject.assign(clock, broken);',
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
