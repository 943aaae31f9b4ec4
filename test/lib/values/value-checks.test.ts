import assert from "node:assert/strict";
import {
  expectEach,
  expectFields,
  expectJson,
  expectKind,
  expectMethods,
  expectOptional,
} from "#kernel";

describe("expectFields", () => {
  const check = expectFields({ req: ["object"], html: ["string"], page: ["object", "null"] });

  it("accepts an object whose fields are of their kinds, and other fields", () => {
    assert.equal(check({ req: {}, html: "", page: null, more: 1 }), null);
  });

  it("names a wrong field before a missing one, whatever their order is", () => {
    assert.equal(check({ html: 42 }), "html: expected a string, received 42");
  });

  it("names the first missing field, the fields that are there, and the required ones", () => {
    assert.equal(
      check({ htlm: "x" }),
      "req: expected an object, received nothing; the fields of the object are htlm; required: req, html, page",
    );
    const optional = expectFields({ body: ["string"], status: ["number", "nothing"] });
    assert.equal(
      optional({ text: "x" }),
      "body: expected a string, received nothing; the fields of the object are text; required: body",
    );
  });

  it("names all required fields when more than one is missing", () => {
    assert.equal(
      check({ html: "x" }),
      "req: expected an object, received nothing; the fields of the object are html; required: req, html, page",
    );
    assert.equal(
      expectFields({ page: check })({ page: {} }),
      "page.req: expected an object, received nothing; the object has no fields; required: req, html, page",
    );
  });

  it("names a missing field alone in an object without unknown fields", () => {
    assert.equal(
      check({ req: {}, html: "" }),
      "page: expected an object or null, received nothing",
    );
  });

  it("names the place of a field inside of lists and objects", () => {
    const nested = expectFields({ hits: expectEach(expectFields({ score: ["number"] })) });
    assert.equal(
      nested({ hits: [{ score: 1 }, { score: "2" }] }),
      'hits.1.score: expected a number, received "2"',
    );
  });

  it("rejects a list, and what is no object", () => {
    assert.equal(check([1]), "expected an object, received a list of 1");
    for (const value of [null, 42, undefined]) assert.match(check(value) ?? "", /^expected an obj/);
  });
});

describe("expectMethods", () => {
  it("names the missing method of an object and of an instance", () => {
    const engine = expectMethods(["build", "search"]);
    class Engine {
      build(): void {}
    }
    assert.equal(engine(new Engine()), "search: expected a function, received nothing");
    assert.match(
      engine({ build() {}, find() {} }) ?? "",
      /^search: .*; the fields .* build, find;/,
    );
  });
});

describe("expectKind", () => {
  it("names the kinds and the value", () => {
    assert.equal(expectKind("string", "null")(42), "expected a string or null, received 42");
  });
});

describe("expectJson", () => {
  it("accepts what JSON has, and nothing", () => {
    for (const value of [null, 1, "a", [1], { a: [null] }, undefined])
      assert.equal(expectJson()(value), null);
  });

  it("rejects what JSON cannot have, with the reason", () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    assert.match(
      expectJson()(10n) ?? "",
      /^expected JSON, received 10 \(Do not know how to serialize a BigInt\)$/,
    );
    assert.match(
      expectJson()(circle) ?? "",
      /^expected JSON, received an object with self \(Converting circular structure to JSON\)$/,
    );
    assert.equal(
      expectJson()(() => 1),
      "expected JSON, received a function",
    );
  });
});

describe("expectOptional", () => {
  it("accepts a missing value, and checks any other", () => {
    const check = expectOptional(expectKind("number"));
    assert.deepEqual([check(undefined), check(1)], [null, null]);
    assert.equal(check(null), "expected a number, received null");
  });
});
