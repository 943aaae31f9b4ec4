import assert from "node:assert/strict";
import { readFrontMatter } from "../../../../plugins/content/read/front-matter/front-matter.js";

function read(text: string | Buffer) {
  return readFrontMatter(Buffer.from(text));
}
function issueOf(text: string) {
  const result = read(text);
  return "issue" in result ? result.issue : null;
}
function bodyOf(text: string): string {
  const result = read(text);
  assert.ok("data" in result);
  return Buffer.from(text).toString("utf8", result.bodyOffset);
}

describe("readFrontMatter", () => {
  it("splits at the closing fence and keeps the body's bytes", () => {
    assert.equal(bodyOf("---\ntitle: A\n---\nbody\n---\nmore"), "body\n---\nmore");
    assert.equal(bodyOf("no front matter\n---\n"), "no front matter\n---\n");
    assert.equal(bodyOf("---\n---\n"), "");
    assert.equal(bodyOf("---\na: 1\n---"), "");
    assert.equal(bodyOf(""), "");
  });

  it("reads CRLF and a byte order mark", () => {
    const result = read("\ufeff---\r\ntitle: A\r\nlist:\r\n- x\r\n---\r\nbody");
    assert.ok("data" in result);
    assert.deepEqual(result.data, { title: "A", list: ["x"] });
    assert.equal(bodyOf("\ufeff---\r\ntitle: A\r\n---\r\nbody"), "body");
  });

  it("takes only --- for front matter, so that ---js is text", () => {
    const text = "---js\n{a: process.exit(1)}\n---\n";
    assert.deepEqual(read(text), { data: {}, texts: null, bodyOffset: 0, warnings: [] });
  });

  it("reports unclosed front matter", () => {
    assert.equal(issueOf("---\ntitle: A\n\nbody")?.code, "ERR_CONTENT_FRONT_MATTER_UNCLOSED");
  });

  it("reports more than 1 MB, with size and limit", () => {
    const issue = issueOf(`---\na: ${"x".repeat(1_100_000)}\n---\n`);
    assert.equal(issue?.code, "ERR_CONTENT_FRONT_MATTER_SIZE");
    assert.match(issue.message, /has 1100004 bytes, at most 1048576/);
  });

  it("reports the line of a YAML error", () => {
    assert.equal(issueOf("---\ntitle: A\nbad: a: b\n---\nbody")?.line, 3);
  });

  for (const [what, text] of [
    ["a tag that would run code", 'a: !!js/function "function(){}"'],
    ["a tag of its own", "a: !custom x"],
    ["binary data", "a: !!binary aGVsbG8="],
    ["a key twice", "title: a\ntitle: b"],
    ["a list instead of a map", "- a\n- b"],
    ["a text instead of a map", "just text"],
    ["a value that contains itself", "a: &x\n  b: *x"],
    ["an alias without an anchor", "a: *gone"],
    ["200 brackets inside each other", `a: ${"[".repeat(200)}${"]".repeat(200)}`],
    ["an open bracket", "a: [1, 2"],
    ["20,000 opening brackets", `a: ${"[".repeat(20_000)}`],
  ]) {
    it(`reports ${what}`, () => {
      assert.equal(issueOf(`---\n${text}\n---\n`)?.code, "ERR_CONTENT_FRONT_MATTER");
    });
  }

  it("reports alias bombs instead of expanding them", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 9; level += 1) {
      const alias = `*a${level - 1}`;
      lines.push(`a${level}: &a${level} [${Array(9).fill(alias).join(", ")}]`);
    }
    assert.equal(issueOf(`---\n${lines.join("\n")}\n---\n`)?.code, "ERR_CONTENT_FRONT_MATTER");
  });

  it("ignores merge keys, so that 3,000 of them cost nothing", () => {
    const text = `---\na: &a {k: 1}\n<<: [${Array(3000).fill("*a").join(", ")}]\n---\n`;
    const result = read(text);
    if ("data" in result) assert.equal(Object.hasOwn(result.data, "k"), false);
    else assert.equal(result.issue.code, "ERR_CONTENT_FRONT_MATTER");
  });

  it("drops __proto__ with a warning and pollutes nothing", () => {
    const result = read("---\ntitle: A\n__proto__: {polluted: 1}\nnested: {__proto__: 2}\n---\n");
    assert.ok("data" in result);
    assert.deepEqual(Object.keys(result.data), ["title", "nested"]);
    assert.equal(Object.hasOwn({}, "polluted"), false);
    assert.equal(Reflect.get({}, "polluted"), undefined);
    assert.equal(result.warnings[0]?.code, "ERR_CONTENT_FIELD");
  });

  for (const [text, data] of [
    ["", {}],
    ["# only a comment", {}],
    ["a: 1\nb: [x, y]\nc: {d: null}", { a: 1, b: ["x", "y"], c: { d: null } }],
    ["date: 2024-01-02", { date: "2024-01-02" }],
    ["a: yes\nb: true", { a: "yes", b: true }],
    ["a: .inf\nb: .nan", { a: ".inf", b: ".nan" }],
    ["base: &x {k: 1}\ncopy: *x", { base: { k: 1 }, copy: { k: 1 } }],
    ["a: |\n  two\n  lines\n", { a: "two\nlines\n" }],
    ["<<: {a: 1}", { "<<": { a: 1 } }],
  ] as const) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const result = read(`---\n${text}\n---\n`);
      assert.ok("data" in result);
      assert.deepEqual(result.data, data);
    });
  }

  it("reads dates, yes and no as text", () => {
    const result = read("---\ndate: 2024-01-01\nflag: no\nsize: 1_000 # c\n---\n");
    assert.ok("data" in result);
    assert.deepEqual(result.data, { date: "2024-01-01", flag: "no", size: "1_000" });
  });
});
